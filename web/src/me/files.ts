/** Lets the browser save a text as a file. */
export function save(name: string, text: string | Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(
    typeof text === "string" ? new Blob([text], { type: "text/plain" }) : text,
  );
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
