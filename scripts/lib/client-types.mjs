import openapiTypeScript, { astToString } from 'openapi-typescript';

const HEADER = `/** Generated from docs/openapi.json by \`npm run docs:generate\`. */\n\n`;

/**
 * The schemas and operations of the OpenAPI document as TypeScript types, for `packages/client`.
 *
 * @param {object} document
 */
export async function renderClientTypes(document) {
  return HEADER + astToString(await openapiTypeScript(document));
}
