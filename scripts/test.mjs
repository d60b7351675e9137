/**
 * `npm test`: the test suites that need no other services.
 *
 *   --suites A,B  only these suites (projects of vitest.config.ts)
 *
 * Other parameters go to vitest: `npm test -- libs/billing`.
 */
import { exitWhenNpmExits } from './lib/parent-process.mjs';
import { prepareCheckout } from './lib/prepare-checkout.mjs';
import { takeSuites } from './lib/suites-parameter.mjs';
import { PROGRAMS_FOR_HOST_TESTS } from './lib/system/required-programs.mjs';
import { runSuites } from './lib/test-suites.mjs';
import { runScript } from './lib/user-facing-error.mjs';

const SUITES = ['unit', 'integration', 'e2e'];
const NOTES = [
  'Not run: s3, which needs a real object store, about 700 MB of packages (npm run test:s3 runs it).',
  'Not run: faults, which kills and pauses the service and takes its resources for minutes (npm run test:faults runs it).',
  'Not run: payments, card payments with a fake Stripe that loses, repeats and delays messages (npm run test:payments runs it).',
  'Not run: containers and compose, the images and Compose files, an hour (npm run test:containers runs them).',
  'Not run: console, the pages in Chromium, about 300 MB of packages (npm run test:console runs it).',
  'Not run: clients, the packed client and command line on other runtimes (npm run test:clients runs it).',
  'Not run: speech, all engines and models, with minutes of recognition (npm run test:speech runs it).',
];
// Twice what two slow processors need.
const TIMEOUT_MS = 70 * 60_000;

await runScript(async () => {
  exitWhenNpmExits();
  const parameters = process.argv.slice(2);
  const suites = takeSuites(parameters) ?? SUITES;
  const needsHosts = suites.includes('faults') && canMakeHosts();
  await prepareCheckout({ tests: true, programs: needsHosts ? PROGRAMS_FOR_HOST_TESTS : [] });
  const unselected = SUITES.filter((suite) => !suites.includes(suite));
  const notes = unselected.length > 0 ? [`Not run: ${unselected.join(', ')} (npm test runs them).`] : NOTES;
  return runSuites(suites, { parameters, timeoutMs: TIMEOUT_MS, notes });
});

/** Network namespaces belong to Linux, and to root. */
function canMakeHosts() {
  return process.platform === 'linux' && process.getuid?.() === 0;
}
