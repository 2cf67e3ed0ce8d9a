// Writes the limits of the API's request bodies, covers and parameters as constants for the interface, into generated/limits.ts:
// lengths, counts and ranges, by schema or call and field.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

const KINDS = ["minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum"];
const {
  components: { schemas },
  paths,
} = JSON.parse(readFileSync(new URL("../../src/app/description/openapi.json", import.meta.url), "utf8"));

function limitsOf(field) {
  const limits = KINDS.filter((kind) => field[kind] !== undefined).map((kind) => `${kind}: ${number(field[kind])}`);
  const items = field.items && limitsOf(field.items);
  if (items) limits.push(`items: ${items}`);
  return limits.length > 0 ? `{ ${limits.join(", ")} }` : null;
}

const number = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, "_");
const constant = (name) => name.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase();

function* limited() {
  for (const [name, schema] of Object.entries(schemas)) {
    if (/(Fields|Update|Create|Change|Reset|Request|Rename|Cover)$/.test(name)) yield [name, Object.entries(schema.properties ?? {})];
  }
  for (const call of Object.values(paths).flatMap(Object.values)) {
    const asked = (call.parameters ?? []).filter(({ in: place }) => place === "query");
    yield [call.operationId, asked.map(({ name, schema }) => [name, schema])];
  }
}

let text = "/** Limits of what the API takes, from the API's description. */\n";
for (const [name, fields] of limited()) {
  const stated = fields.map(([field, it]) => [field, limitsOf(it)]).filter(([, limits]) => limits);
  if (stated.length === 0) continue;
  const lines = stated.map(([field, limits]) => `  ${field}: ${limits},\n`);
  text += `\nexport const ${constant(name)} = {\n${lines.join("")}} as const;\n`;
}
const folder = new URL("../generated/", import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL("limits.ts", folder), text);
