/** The languages that the form offers, by their tags. A book may have any other; it is offered, too, once the book has it. */
import { languageName } from "../../kit/language";
import { NO_LANGUAGE } from "./facts";

const OFFERED =
  "af ar bg bn ca cs cy da de el en es et eu fa fi fr ga gl he hi hr hu hy id is it ja ka ko la lt lv mk ms nb nl nn pl pt pt-BR ro ru sk sl sq sr sv sw ta th tr uk ur vi yi zh zh-Hans zh-Hant".split(
    " ",
  );

/** The choices of the language field by name, `chosen` among them. */
export function languageChoices(chosen: string): { value: string; label: string }[] {
  const tags = OFFERED.includes(chosen) || chosen === NO_LANGUAGE ? OFFERED : [...OFFERED, chosen];
  const named = tags.map((value) => ({ value, label: languageName(value) }));
  named.sort((one, other) => one.label.localeCompare(other.label, "en"));
  return [{ value: NO_LANGUAGE, label: "Unknown" }, ...named];
}
