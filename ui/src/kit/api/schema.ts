/** The types of the API, which `npm run types` generates from its description. */
export type { components, paths } from "../../../generated/schema";
