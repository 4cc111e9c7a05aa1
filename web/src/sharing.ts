/** Copies, shares and saves texts and files. */

/** Copy a text; return false where the browser forbids it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // without https there is no clipboard API
    const field = document.createElement("textarea");
    field.value = text;
    (document.querySelector("dialog[open]") ?? document.body).append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}

/** Share a text with the system's dialog, or copy it; return whether that worked. */
export async function shareText(text: string): Promise<boolean> {
  if ("share" in navigator) {
    return navigator.share({ text }).then(
      () => true,
      () => false,
    );
  }
  return copyText(text);
}

/** Save a text or a blob as a download. */
export function saveFile(name: string, content: string | Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(
    typeof content === "string" ? new Blob([content], { type: "text/plain" }) : content,
  );
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
