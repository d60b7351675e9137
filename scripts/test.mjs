/** `npm test`: the rings that need nothing but this machine. Parameters go to vitest: `npm test -- libs/billing`. */
import { prepare } from './lib/prepare.mjs';
import { runRings } from './lib/rings.mjs';
import { runScript, say } from './lib/trouble.mjs';

const LIMIT_MS = 20 * 60_000;

await runScript(async () => {
  await prepare({ tests: true });
  const code = await runRings(['unit', 'integration', 'e2e'], {
    parameters: process.argv.slice(2),
    limitMs: LIMIT_MS,
  });
  say('Not run: the ring s3, which needs a real object store (about 700 MB of packages): npm run test:s3');
  return code;
});
