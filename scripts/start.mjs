/** `npm start`: the whole service (api and processor) in the foreground. */
import { builtProgram, runInForeground } from './lib/foreground.mjs';
import { endWithNpm } from './lib/lifeline.mjs';
import { prepare } from './lib/prepare.mjs';
import { runScript } from './lib/trouble.mjs';

await runScript(async () => {
  endWithNpm();
  await prepare({ toRun: true });
  return runInForeground(builtProgram('admin'), ['start', ...process.argv.slice(2)]);
});
