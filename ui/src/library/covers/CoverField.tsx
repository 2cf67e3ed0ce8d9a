import { useWatch } from "react-hook-form";
import type { BookFormState } from "../books/useBookForm";
import { CoverPicker } from "./CoverPicker";
import type { CoverState } from "./useCover";

/** The cover of a book form, which is saved with the book. */
export function CoverField({ form, cover }: { form: BookFormState; cover: CoverState }) {
  return <CoverPicker title={useWatch({ control: form.control, name: "title" }).trim()} cover={cover} />;
}
