/**
 * `npm run test:s3`: the store contract and the service against a real S3 server (radosgw, private, in memory).
 *
 * Installs radosgw if it is missing: about 700 MB of Debian packages, once. Arguments go to vitest.
 */
import { prepareCheckout } from './lib/prepare-checkout.mjs';
import { PROGRAMS_FOR_S3_TESTS } from './lib/system/required-programs.mjs';
import { runSuites } from './lib/test-suites.mjs';
import { runScript } from './lib/user-facing-error.mjs';

const TIMEOUT_MS = 10 * 60_000;

await runScript(async () => {
  await prepareCheckout({ tests: true, programs: PROGRAMS_FOR_S3_TESTS });
  return runSuites(['s3'], { parameters: process.argv.slice(2), timeoutMs: TIMEOUT_MS });
});
