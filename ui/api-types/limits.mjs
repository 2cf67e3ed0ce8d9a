// Writes the limits of the API's request bodies as constants for the interface: lengths, counts and ranges, by schema and field.
import { readFileSync, writeFileSync } from "node:fs";

const KINDS = ["minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum"];
const [description, target] = process.argv.slice(2);
const { schemas } = JSON.parse(readFileSync(description, "utf8")).components;

function limitsOf(field) {
  const limits = KINDS.filter((kind) => field[kind] !== undefined).map((kind) => `${kind}: ${number(field[kind])}`);
  const items = field.items && limitsOf(field.items);
  if (items) limits.push(`items: ${items}`);
  return limits.length > 0 ? `{ ${limits.join(", ")} }` : null;
}

const number = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, "_");
const constant = (name) => name.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase();

let text = "/** Limits of what the API takes. Made by `make types` from the API's description. */\n";
for (const [name, schema] of Object.entries(schemas)) {
  const isRequest = /(Fields|Update|Create|Change|Reset|Request|Rename)$/.test(name);
  const fields = Object.entries(schema.properties ?? {}).map(([field, it]) => [field, limitsOf(it)]);
  const limited = fields.filter(([, limits]) => limits);
  if (!isRequest || limited.length === 0) continue;
  const lines = limited.map(([field, limits]) => `  ${field}: ${limits},\n`);
  text += `\nexport const ${constant(name)} = {\n${lines.join("")}} as const;\n`;
}
writeFileSync(target, text);
