/**
 * `npm test`: the rings that need nothing but this machine.
 *
 *   --rings A,B  only these rings (projects of vitest.config.ts)
 *
 * Other parameters go to vitest: `npm test -- libs/billing`.
 */
import { endWithNpm } from './lib/lifeline.mjs';
import { prepare } from './lib/prepare.mjs';
import { runRings } from './lib/rings.mjs';
import { runScript } from './lib/trouble.mjs';

const RINGS = ['unit', 'integration', 'e2e'];
const LIMIT_MS = 20 * 60_000;

await runScript(async () => {
  endWithNpm();
  const parameters = process.argv.slice(2);
  const at = parameters.indexOf('--rings');
  const rings = at < 0 ? RINGS : (parameters.splice(at, 2)[1] ?? '').split(',');
  await prepare({ tests: true });
  const left = RINGS.filter((ring) => !rings.includes(ring));
  const notes = [
    'Not run: s3, which needs a real object store, about 700 MB of packages (npm run test:s3 runs it).',
  ];
  if (left.length > 0) notes.unshift(`Not run: ${left.join(', ')} (npm test runs them).`);
  return runRings(rings, { parameters, limitMs: LIMIT_MS, notes });
});
