/**
 * `node scripts/build-console.mjs`, part of `npm run build`: the pages of `apps/console` as compressed static files.
 * With `--watch` it builds again after every change, and prints a line after each build.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { compressFiles } from './lib/compress-files.mjs';
import { CONSOLE_BUILT } from './lib/console-built.mjs';
import { ROOT } from './lib/root.mjs';

const SOURCE = join(ROOT, 'apps', 'console');
const OUTPUT = join(ROOT, 'dist', 'console');
/** Sum of the gzipped scripts that the first paint waits for. */
const MAX_SCRIPT_BYTES = 200_000;

const isWatching = process.argv.includes('--watch');
process.env.NODE_ENV = 'production';
await build({
  configFile: false,
  root: SOURCE,
  // Relative to the <base> of the page, which depends on PUBLIC_URL.
  base: './',
  logLevel: 'warn',
  plugins: [react(), tailwindcss(), { name: 'finish', writeBundle: finish }],
  // Inlined files would be data: URLs, which the content security policy of the page forbids.
  build: {
    outDir: OUTPUT,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: 'es2023',
    modulePreload: { polyfill: false },
    watch: isWatching ? {} : null,
  },
});

async function finish() {
  await compressFiles(OUTPUT, { fast: isWatching });
  if (isWatching) console.log(CONSOLE_BUILT);
  else await assertScriptBudget();
}

/** The HTML contains only the scripts of the first paint. */
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
