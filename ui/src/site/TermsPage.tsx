import { LegalPage } from "./LegalPage";
import text from "./legal/terms.en.md?raw";

/** The terms between a reader and the operator of the server. On a private server nothing is sold. */
export default function TermsPage() {
  return <LegalPage text={text} />;
}
