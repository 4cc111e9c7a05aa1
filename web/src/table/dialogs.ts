/** Dialogs of a table that few open at once: they are fetched when they are wanted. */
import "../styles/dialogs.css";

export { SealDialog } from "../fair/dialog";
export { InvitationDialog } from "./invitation";
export { RulesDialog } from "./rules";
export { SeatsDialog } from "./seats";
export { WhyDialog } from "./why";
