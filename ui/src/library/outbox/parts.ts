/** The parts of the outbox that the dashboard loads when this browser keeps something. */
export { withQueued } from "./mutation";
export { Outbox } from "./Outbox";
export { queueOf } from "./queue";
