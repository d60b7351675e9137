/** `npm start`: the whole service (api and processor) in the foreground. */
import { builtProgramPath, runInForeground } from './lib/foreground.mjs';
import { exitWhenNpmExits } from './lib/parent-process.mjs';
import { prepareCheckout } from './lib/prepare-checkout.mjs';
import { runScript } from './lib/user-facing-error.mjs';

await runScript(async () => {
  exitWhenNpmExits();
  await prepareCheckout({ toRun: true });
  return runInForeground(builtProgramPath('admin'), ['start', ...process.argv.slice(2)]);
});
