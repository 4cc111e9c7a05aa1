/** With what the page was touched last: fingers cannot hover, so their first touch shows and the second one does. */
let kind = "mouse";
addEventListener("pointerdown", (event) => (kind = event.pointerType), true);
addEventListener("keydown", () => (kind = "keyboard"), true);

export const isTouchInput = (): boolean => kind === "touch";
export const isKeyboardInput = (): boolean => kind === "keyboard";
