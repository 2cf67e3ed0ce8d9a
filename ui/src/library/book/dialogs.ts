/** The dialogs of a book's page, which are loaded with the first use of one. */

export { CoverDialog } from "../covers/CoverDialog";
export { QuoteDialog } from "../outbox/QuoteDialog";
export { AgainDialog } from "./AgainDialog";
export { DayDialog } from "./DayDialog";
export { DeleteDialog } from "./DeleteDialog";
export { JoinDialog } from "./JoinDialog";
export { PartDialog } from "./PartDialog";
export { ReopenDialog } from "./ReopenDialog";
export { StopDialog } from "./StopDialog";
