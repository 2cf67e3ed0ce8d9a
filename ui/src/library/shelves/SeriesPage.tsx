import { SeriesList } from "./SeriesList";
import { SeriesView } from "./SeriesView";
import { useName } from "./useName";

/** The pages `/series` and `/series/{name}`. */
export default function SeriesPage() {
  const name = useName();
  return name === undefined ? <SeriesList /> : <SeriesView key={name} name={name} />;
}
