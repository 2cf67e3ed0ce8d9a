/** The first and the last date that a book may have. */
export const FIRST_DAY = "1900-01-01";
export const LAST_DAY = "2100-12-31";
