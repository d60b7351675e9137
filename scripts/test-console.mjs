/**
 * `npm run test:console`: the pages of the console in Chromium, against the real service.
 *
 * Installs Debian's Chromium if it is missing. `SCREENSHOTS=DIR` saves a screenshot of every page. Arguments go to vitest.
 */
import { prepareCheckout } from './lib/prepare-checkout.mjs';
import { PROGRAMS_FOR_CONSOLE_TESTS } from './lib/system/required-programs.mjs';
import { runSuites } from './lib/test-suites.mjs';
import { runScript } from './lib/user-facing-error.mjs';

const TIMEOUT_MS = 40 * 60_000;

await runScript(async () => {
  await prepareCheckout({ tests: true, programs: PROGRAMS_FOR_CONSOLE_TESTS });
  return runSuites(['console'], { parameters: process.argv.slice(2), timeoutMs: TIMEOUT_MS });
});
