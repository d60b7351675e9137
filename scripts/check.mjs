/** `npm run check`: everything that is wrong without being a failing test. Details only of what is. */
import { capture } from './lib/command.mjs';
import { prepare } from './lib/prepare.mjs';
import { runScript, say } from './lib/trouble.mjs';

/** Each is a name and a command (of node_modules/.bin, or node); it passes when the command ends with code 0. */
const CHECKS = [
  ['types', 'tsc', '--noEmit', '-p', 'tsconfig.json'],
  ['lint', 'oxlint', '--type-aware'],
  ['layers', 'depcruise', '--config', '.dependency-cruiser.cjs', 'apps', 'libs', 'test'],
  ['format', 'prettier', '--check', '--log-level=warn', '.'],
  ['generated', 'node', 'scripts/docs.mjs', '--check'],
  ['contract', 'node', 'scripts/check-contract.mjs'],
  ['migrations', 'node', 'scripts/check-migrations.mjs'],
];

await runScript(async () => {
  await prepare({ system: false });
  const env = { ...process.env, PATH: `node_modules/.bin:${process.env.PATH}` };
  const failed = [];
  for (const [name, command, ...parameters] of CHECKS) {
    const began = Date.now();
    const { code, output } = await capture(command, parameters, { env });
    const seconds = ((Date.now() - began) / 1000).toFixed(1);
    if (code !== 0) {
      failed.push(name);
      say(output.trimEnd());
    }
    console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`);
  }
  if (failed.length > 0) say(`Not right: ${failed.join(', ')}.`);
  return failed.length === 0 ? 0 : 1;
});
