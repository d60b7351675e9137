import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import openapiTypeScript, { astToString } from 'openapi-typescript';
import { ROOT } from './root.mjs';

const JOB_LIST_PATH = '/api/v1/jobs';

/**
 * What `packages/client/src/types.ts` uses of the OpenAPI document, as TypeScript types: schemas, and the query of the job list.
 *
 * @param {object} document
 */
export async function renderClientTypes({ paths, webhooks: _webhooks, components, ...document }) {
  const { operationId, parameters } = paths[JOB_LIST_PATH].get;
  const source = await readFile(`${ROOT}/packages/client/src/types.ts`, 'utf8');
  const nodes = await openapiTypeScript({
    ...document,
    paths: { [JOB_LIST_PATH]: { get: { operationId, parameters, responses: {} } } },
    components: {
      schemas: pickUsedSchemas(components.schemas, source, /Schemas\[\s*'(\w+)'/g),
      // The job list refers to a shared parameter.
      parameters: components.parameters,
    },
  });
  // `paths` would repeat what `operations` has under a name.
  return render(nodes, 'docs/openapi.json', ['components', 'operations']);
}

/**
 * The schemas of the console's OpenAPI document that the pages use, as the TypeScript type `components`, for `apps/console`.
 *
 * @param {object} document
 */
export async function renderConsoleTypes({ components, ...document }) {
  const folder = `${ROOT}/apps/console/src`;
  const files = (await readdir(folder, { recursive: true })).filter((name) => /\.tsx?$/.test(name));
  const sources = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  const nodes = await openapiTypeScript({
    ...document,
    paths: {},
    components: {
      schemas: pickUsedSchemas(components.schemas, sources.join('\n'), /ConsoleApiSchema<\s*'(\w+)'/g),
    },
  });
  return render(nodes, 'docs/console-openapi.json', ['components']);
}

/** The schemas that `pattern` finds in `source`, and those to which they refer. A name without a schema does not compile there. */
function pickUsedSchemas(schemas, source, pattern) {
  const used = new Set();
  const addNames = (text, namePattern) => {
    for (const [, name] of text.matchAll(namePattern)) {
      if (used.has(name)) continue;
      used.add(name);
      addNames(JSON.stringify(schemas[name] ?? {}), /#\/components\/schemas\/(\w+)/g);
    }
  };
  addNames(source, pattern);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)));
}

function render(nodes, documentName, typeNames) {
  const header = `/** Generated from ${documentName} by \`npm run docs:generate\`. */\n\n`;
  return header + astToString(nodes.filter((node) => typeNames.includes(node.name?.text)));
}
