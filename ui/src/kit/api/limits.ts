/** The limits of the API, which are generated from its description (`api-types/limits.mjs`). */
export * from "../../../generated/limits";
