import { useWatch } from "react-hook-form";
import { counted } from "../../kit/format";
import { Field, Textarea } from "../../kit/ui/Field";
import { Fold } from "../../kit/ui/Fold";
import { passagesOf } from "../books/model";
import type { BookFormState } from "../books/useBookForm";
import { QuotesField } from "./QuotesField";

/** What its reader writes about a book, folded until it is wanted. */
export function TextFields({ form }: { form: BookFormState }) {
  const [impressions, passages, nextQuote] = useWatch({
    control: form.control,
    name: ["impressions", "passages", "nextQuote"],
  });
  const many = passagesOf({ passages, nextQuote }).length;
  const holds = [impressions.trim() && "impressions", many > 0 && counted(many, "quote")].filter(Boolean).join(", ");
  return (
    <Fold title="Impressions and quotes" holds={holds} act={holds ? "Change" : "Write"}>
      <Field label="Impressions" error={form.formState.errors.impressions?.message}>
        <Textarea rows={4} {...form.register("impressions")} />
      </Field>
      <QuotesField form={form} />
    </Fold>
  );
}
