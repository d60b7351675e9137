/** `npm run docs:generate`: writes the generated pages of docs/. With `--check` it only tells which are out of date. */
import { readFile, writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { prepareCheckout } from './lib/prepare-checkout.mjs';
import { ROOT } from './lib/root.mjs';
import { runScript } from './lib/user-facing-error.mjs';
import { licencesPage } from './supply/licences-page.mjs';

const PAGES = [
  ['docs/configuration.md', configurationPage],
  ['docs/openapi.json', apiDescription],
  ['docs/console-openapi.json', consoleDescription],
  ['docs/errors.md', errorsPage],
  ['docs/licences.md', licencesPage],
];

async function configurationPage() {
  const { renderConfigReference } = await import(`${ROOT}/dist/libs/config/src/index.js`);
  return renderConfigReference();
}

async function apiDescription() {
  const { buildApiDocumentWithoutServices } = await import(`${ROOT}/dist/apps/api/src/openapi/preview.js`);
  return JSON.stringify(await buildApiDocumentWithoutServices());
}

async function consoleDescription() {
  const { buildConsoleDocumentWithoutServices } = await import(
    `${ROOT}/dist/apps/api/src/openapi/preview.js`
  );
  return JSON.stringify(await buildConsoleDocumentWithoutServices());
}

async function errorsPage() {
  const { renderErrorReferencePage: page } = await import(
    `${ROOT}/dist/apps/api/src/errors/error-reference.js`
  );
  return page();
}

await runScript(async () => {
  // The pages must describe the current sources, not an older build.
  await prepareCheckout({ system: false });
  const check = process.argv.includes('--check');
  const outdated = [];
  for (const [name, make] of PAGES) {
    const path = `${ROOT}/${name}`;
    const wanted = await format(await make(), { ...(await resolveConfig(path)), filepath: path });
    const found = await readFile(path, 'utf8').catch(() => '');
    if (found === wanted) continue;
    if (check) outdated.push(name);
    else await writeFile(path, wanted);
  }
  if (outdated.length > 0) console.log(`Out of date: ${outdated.join(', ')}. Run npm run docs:generate.`);
  return outdated.length === 0 ? 0 : 1;
});
