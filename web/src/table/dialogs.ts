/** Dialogs of a table that few open at once: they are fetched when they are wanted. */
import "../styles/dialogs.css";

export { Invitation } from "./invitation";
export { Rules } from "./rules";
export { Seats } from "./seats";
