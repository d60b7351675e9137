/**
 * `npm run test:clients`: the packed client and command line against the real service, on Node 20, 22 and 24, Bun, Deno and Chromium.
 *
 * Installs shells, `mandoc`, `groff` and Chromium if they are missing. Runtimes come from the npm registry; one that cannot be
 * installed is skipped with the reason. Arguments go to vitest.
 * `BAD_NETWORK_FILES` (20) and `BAD_NETWORK_MAX_MB` (8): what is sent through the bad network.
 */
import { prepareCheckout } from './lib/prepare-checkout.mjs';
import { PROGRAMS_FOR_CLIENT_TESTS, PROGRAMS_FOR_CONSOLE_TESTS } from './lib/system/required-programs.mjs';
import { runSuites } from './lib/test-suites.mjs';
import { runScript } from './lib/user-facing-error.mjs';

/** With 200 files of up to 300 MB through the bad network. */
const TIMEOUT_MS = 150 * 60_000;

await runScript(async () => {
  await prepareCheckout({
    tests: true,
    programs: [...PROGRAMS_FOR_CLIENT_TESTS, ...PROGRAMS_FOR_CONSOLE_TESTS],
  });
  return runSuites(['clients'], { parameters: process.argv.slice(2), timeoutMs: TIMEOUT_MS });
});
