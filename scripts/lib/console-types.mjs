import openapiTypeScript, { astToString } from 'openapi-typescript';

const HEADER = `/** Generated from docs/console-openapi.json by \`npm run docs:generate\`. */\n\n`;

/**
 * The schemas of the console's OpenAPI document as the TypeScript type `components`, for `apps/console`.
 *
 * @param {object} document
 */
export async function renderConsoleTypes({ components, ...document }) {
  // Routes refer to schemas; the schemas are all that the console uses.
  const nodes = await openapiTypeScript({
    ...document,
    paths: {},
    components: { schemas: components.schemas },
  });
  return HEADER + astToString(nodes.filter((node) => node.name?.text === 'components'));
}
