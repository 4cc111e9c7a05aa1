/** Dialogs of a table that are loaded when they are first opened. */
import "../styles/dialogs.css";

export { SealDialog } from "../fair/dialog";
export { InvitationDialog } from "./invitation";
export { RulesDialog } from "./rules";
export { SeatsDialog } from "./seats";
export { SettingsDialog } from "./settings";
export { WhyDialog } from "./why";
