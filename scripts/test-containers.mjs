/**
 * `npm run test:containers`: builds the images from a base of Debian packages and runs them as an operator would. Takes up to an
 * hour and 8 GB of disk; needs root. Arguments go to vitest.
 */
import { prepareCheckout } from './lib/prepare-checkout.mjs';
import { runRings } from './lib/rings.mjs';
import { ensureSystemPrograms } from './lib/system/ensure-system-programs.mjs';
import { PROGRAMS_FOR_CONTAINER_TESTS } from './lib/system/required-programs.mjs';
import { runScript } from './lib/user-facing-error.mjs';

const TIMEOUT_MS = 90 * 60_000;

await runScript(async () => {
  await prepareCheckout({ tests: true, build: false });
  await ensureSystemPrograms(PROGRAMS_FOR_CONTAINER_TESTS);
  return runRings(['containers'], { parameters: process.argv.slice(2), timeoutMs: TIMEOUT_MS });
});
