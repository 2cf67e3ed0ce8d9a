/** Rounded to tenths of a pixel, which is precise enough and keeps the markup small. */
export const tenth = (x: number) => Math.round(x * 10) / 10;

/** The height of a spine as a part of the tallest: a better rated book is taller. `unrated` is that of a book without a rating. */
export const heightOf = (rating: number | null, unrated = 0.72) => (rating === null ? unrated : 0.5 + 0.05 * rating);
