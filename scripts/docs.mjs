/** `npm run docs:generate`: writes the generated pages of docs/ and the types of the clients. With `--check` it only lists those that are outdated. */
import { readFile, writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { prepareCheckout } from './lib/prepare-checkout.mjs';
import { ROOT } from './lib/root.mjs';
import { renderClientTypes, renderConsoleTypes } from './lib/schema-types.mjs';
import { runScript } from './lib/user-facing-error.mjs';
import { renderLicences } from './supply/licences-page.mjs';

const PAGES = [
  ['docs/configuration.md', renderConfiguration],
  ['docs/openapi.json', renderApiDescription],
  ['docs/console-openapi.json', renderConsoleDescription],
  ['apps/console/src/api/schemas.ts', renderConsoleClientTypes],
  ['packages/client/src/generated/schema.ts', renderTypesOfClient],
  ['docs/errors.md', renderErrors],
  ['docs/licences.md', renderLicences],
];

async function renderConfiguration() {
  const { renderConfigReference } = await import(`${ROOT}/dist/libs/config/src/index.js`);
  return renderConfigReference();
}

async function renderApiDescription() {
  const { buildApiDocumentFromPreviewApp } = await import(`${ROOT}/dist/apps/api/src/openapi/preview.js`);
  return JSON.stringify(await buildApiDocumentFromPreviewApp());
}

async function renderConsoleDescription() {
  const { buildConsoleDocumentFromPreviewApp } = await import(`${ROOT}/dist/apps/api/src/openapi/preview.js`);
  return JSON.stringify(await buildConsoleDocumentFromPreviewApp());
}

async function renderConsoleClientTypes() {
  return renderConsoleTypes(JSON.parse(await renderConsoleDescription()));
}

async function renderTypesOfClient() {
  return renderClientTypes(JSON.parse(await renderApiDescription()));
}

async function renderErrors() {
  const { renderErrorReferenceMarkdown: page } = await import(
    `${ROOT}/dist/apps/api/src/errors/error-reference.js`
  );
  return page();
}

await runScript(async () => {
  // The pages must describe the current sources, not an older build.
  await prepareCheckout({ system: false });
  const check = process.argv.includes('--check');
  const outdated = [];
  for (const [name, render] of PAGES) {
    const path = `${ROOT}/${name}`;
    const expected = await format(await render(), { ...(await resolveConfig(path)), filepath: path });
    const found = await readFile(path, 'utf8').catch(() => '');
    if (found === expected) continue;
    if (check) outdated.push(name);
    else await writeFile(path, expected);
  }
  if (outdated.length > 0) console.log(`Outdated: ${outdated.join(', ')}. Run npm run docs:generate.`);
  return outdated.length === 0 ? 0 : 1;
});
