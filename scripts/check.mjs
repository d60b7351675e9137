/** `npm run check`: all checks besides tests. Prints the output of failed and skipped checks only. */
import { runCaptured } from './lib/command.mjs';
import { prepareCheckout } from './lib/prepare-checkout.mjs';
import { runScript, printProgress } from './lib/user-facing-error.mjs';

/**
 * Name and command (in node_modules/.bin, or node) of each check. It passes with exit code 0. A check that cannot run
 * prints `Skipped: ` with the reason, and passes.
 */
const CHECKS = [
  ['types', 'tsc', '--noEmit', '-p', 'tsconfig.json'],
  ['types of the console', 'tsc', '--noEmit', '-p', 'apps/console/tsconfig.json'],
  ['types of the client', 'tsc', '--noEmit', '-p', 'packages/client/tsconfig.json'],
  ['types of the command line', 'tsc', '--noEmit', '-p', 'packages/cli/tsconfig.json'],
  ['lint', 'oxlint', '--type-aware'],
  ['layers', 'depcruise', '--config', '.dependency-cruiser.cjs', 'apps', 'libs', 'packages', 'test', 'bench'],
  ['sql', 'node', 'scripts/check-sql.mjs'],
  ['unused', 'knip'],
  ['format', 'prettier', '--check', '--log-level=warn', '.'],
  ['generated', 'node', 'scripts/docs.mjs', '--check'],
  ['contract', 'node', 'scripts/check-contract.mjs'],
  ['mutation', 'node', 'scripts/mutation.mjs', '--check'],
  ['migrations', 'node', 'scripts/check-migrations.mjs'],
  ['commits', 'node', 'scripts/check-commits.mjs'],
  ['lockfile', 'lockfile-lint'],
  ['install scripts', 'node', 'scripts/check-lock.mjs'],
  ['licences', 'node', 'scripts/licences.mjs'],
  ['audit', 'node', 'scripts/audit.mjs'],
];

await runScript(async () => {
  await prepareCheckout({ system: false });
  const env = { ...process.env, PATH: `node_modules/.bin:${process.env.PATH}` };
  const failed = [];
  for (const [name, command, ...parameters] of CHECKS) {
    const startedAt = Date.now();
    const { code, output } = await runCaptured(command, parameters, { env });
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
    const skipped = code === 0 && output.startsWith('Skipped: ');
    if (code !== 0) failed.push(name);
    if (code !== 0 || skipped) printProgress(output.trimEnd());
    console.log(`${code !== 0 ? 'FAIL' : skipped ? 'skip' : 'ok  '} ${name} (${seconds} s)`);
  }
  if (failed.length > 0) printProgress(`Failed: ${failed.join(', ')}.`);
  return failed.length === 0 ? 0 : 1;
});
