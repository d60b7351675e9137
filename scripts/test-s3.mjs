/**
 * `npm run test:s3`: the store contract and the service against a real S3 server (radosgw, private, in memory).
 *
 * Installs that server when it is missing: about 700 MB of Debian packages, once. Parameters go to vitest.
 */
import { prepare } from './lib/prepare.mjs';
import { runRings } from './lib/rings.mjs';
import { ensureSystem } from './lib/system/ensure-system.mjs';
import { TO_TEST_S3 } from './lib/system/needs.mjs';
import { runScript } from './lib/trouble.mjs';

const LIMIT_MS = 10 * 60_000;

await runScript(async () => {
  await prepare({ tests: true });
  await ensureSystem(TO_TEST_S3);
  return runRings(['s3'], { parameters: process.argv.slice(2), limitMs: LIMIT_MS });
});
