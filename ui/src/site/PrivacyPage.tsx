import { LegalPage } from "./LegalPage";
import text from "./legal/privacy.en.md?raw";

/** What the program stores about people, and why. A change to what is stored or sent must change this text. */
export default function PrivacyPage() {
  return <LegalPage text={text} />;
}
