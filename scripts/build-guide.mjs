/**
 * `node scripts/build-guide.mjs`, part of `npm run build`: writes the documentation site to `dist/guide`
 * (docs/adr/0046-documentation-site.md). It ends with code 1 if a page, a link between pages or a code block is wrong.
 */
import { join } from 'node:path';
import { buildSite } from './guide/build-site.mjs';
import { ROOT } from './lib/root.mjs';
import { runScript, printProgress } from './lib/user-facing-error.mjs';

await runScript(async () => {
  const { pages } = await buildSite(join(ROOT, 'dist', 'guide'));
  printProgress(`The documentation site has ${pages} pages.`);
  return 0;
});
