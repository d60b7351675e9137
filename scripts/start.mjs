/** `npm start`: the whole service (api and processor) in the foreground. */
import { builtProgram, runInForeground } from './lib/foreground.mjs';
import { prepare } from './lib/prepare.mjs';
import { runScript } from './lib/trouble.mjs';

await runScript(async () => {
  await prepare();
  return runInForeground(builtProgram('admin'), ['start', ...process.argv.slice(2)]);
});
