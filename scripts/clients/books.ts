// Compiled with the types from openapi-typescript: a renamed call, query or key is an error.
import createClient from "openapi-fetch";
import type { paths } from "./schema.js";

const client = createClient<paths>({ baseUrl: "http://127.0.0.1:8080" });

export async function titles(): Promise<string[]> {
  const { data, error } = await client.GET("/api/books", { params: { query: { sort: "title", limit: 50 } } });
  if (!data) throw new Error(error.error);
  return data.data.map((book) => book.title);
}
