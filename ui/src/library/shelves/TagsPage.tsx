import { TagList } from "./TagList";
import { TagView } from "./TagView";
import { useName } from "./useName";

/** The pages `/tags` and `/tags/{name}`. */
export default function TagsPage() {
  const name = useName();
  return name === undefined ? <TagList /> : <TagView key={name} name={name} />;
}
