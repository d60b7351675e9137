/** `node scripts/build-console.mjs`, part of `npm run build`: the pages of `apps/console` as compressed static files. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { ROOT } from './lib/root.mjs';

const SOURCE = join(ROOT, 'apps', 'console');
const OUTPUT = join(ROOT, 'dist', 'console');
/** Of the scripts that the first paint waits for, with gzip. */
const MAX_SCRIPT_BYTES = 200_000;

process.env.NODE_ENV = 'production';
await build({
  configFile: false,
  root: SOURCE,
  // Relative to the <base> of the page, which depends on PUBLIC_URL.
  base: './',
  logLevel: 'warn',
  plugins: [react(), tailwindcss()],
  // Inlined files would be data: addresses, which the policy of the page does not allow.
  build: {
    outDir: OUTPUT,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: 'es2023',
    modulePreload: { polyfill: false },
  },
});
await compressFiles();
await assertScriptBudget();

async function compressFiles() {
  for (const entry of await readdir(OUTPUT, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    const content = await readFile(path);
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
    await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }));
    await writeFile(`${path}.br`, await promisify(brotliCompress)(content, quality));
  }
}

/** Scripts that other pages load later are not in the page. */
async function assertScriptBudget() {
  const page = await readFile(join(OUTPUT, 'index.html'), 'utf8');
  const scripts = [...page.matchAll(/(?:src|href)="\.\/([^"]+\.js)"/g)].map(([, name]) => name);
  const sizes = await Promise.all(
    scripts.map(async (name) => (await readFile(join(OUTPUT, `${name}.gz`))).length),
  );
  const sum = sizes.reduce((total, size) => total + size, 0);
  if (scripts.length === 0 || sum > MAX_SCRIPT_BYTES)
    throw new Error(`The first paint of the console loads ${scripts.length} scripts of ${sum} bytes.`);
}
