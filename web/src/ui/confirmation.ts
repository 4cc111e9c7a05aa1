import { useState } from "preact/hooks";

/** Require a second click: return whether the first was made, and the handlers of the button. */
export function useConfirmation(
  action: () => void,
  isNeeded = true,
): { confirming: boolean; handlers: { onClick: () => void; onBlur: () => void } } {
  const [confirming, setConfirming] = useState(false);
  return {
    confirming,
    handlers: {
      onClick: () => (isNeeded && !confirming ? setConfirming(true) : action()),
      onBlur: () => setConfirming(false),
    },
  };
}
