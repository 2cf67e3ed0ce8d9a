// Validates the API's description against the JSON Schema that the OpenAPI project publishes for version 3.1.
import { Validator } from "@seriousme/openapi-schema-validator";

const [file] = process.argv.slice(2);
const validator = new Validator({ strict: false });
const result = await validator.validate(file);
if (!result.valid || validator.version !== "3.1") {
  console.error(`${file} is not valid OpenAPI 3.1 (read as ${validator.version}):`);
  for (const { instancePath, message } of result.errors ?? []) console.error(`  ${instancePath}: ${message}`);
  process.exit(1);
}
