/** Hebrew, Arabic, Syriac, Thaana and N'Ko, and the presentation forms: characters that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Whether a text has characters that are written from right to left. */
export const isRightToLeft = (text: string) => RIGHT_TO_LEFT.test(text);

/**
 * A text for places that know no `dir="auto"`: canvas, drawings, and sentences in attributes. With characters that are written from
 * right to left it is isolated (U+2068 to U+2069), so that its own direction orders its brackets and punctuation, and its surroundings
 * stay as they are.
 */
export function isolated(text: string): string {
  return isRightToLeft(text) ? `\u2068${text}\u2069` : text;
}
