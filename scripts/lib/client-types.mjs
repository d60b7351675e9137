import openapiTypeScript, { astToString } from 'openapi-typescript';

const HEADER = `/** Generated from docs/openapi.json by \`npm run docs:generate\`. */\n\n`;

/**
 * The schemas and operations of the OpenAPI document as TypeScript types, for `packages/client`.
 *
 * @param {object} document
 */
export async function renderClientTypes(document) {
  const nodes = await openapiTypeScript(document);
  // The operations have what the paths have, under names.
  return HEADER + astToString(nodes.filter((node) => ['components', 'operations'].includes(node.name?.text)));
}
