/** Dialogs of a table that few open at once: they are fetched when they are wanted. */
import "../styles/dialogs.css";

export { SealDialog } from "../fair/dialog";
export { Invitation } from "./invitation";
export { Rules } from "./rules";
export { Seats } from "./seats";
export { Why } from "./why";
