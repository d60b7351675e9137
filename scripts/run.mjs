/** `node scripts/run.mjs api|processor|admin [parameters]`: one program of the service in the foreground. */
import { builtProgramPath, runInForeground } from './lib/foreground.mjs';
import { exitWhenNpmExits } from './lib/parent-process.mjs';
import { prepareCheckout } from './lib/prepare-checkout.mjs';
import { runScript, UserFacingError } from './lib/user-facing-error.mjs';

const APPS = ['api', 'processor', 'admin'];

await runScript(async () => {
  exitWhenNpmExits();
  const [app, ...parameters] = process.argv.slice(2);
  if (!APPS.includes(app))
    throw new UserFacingError(`Name a program: node scripts/run.mjs ${APPS.join('|')}`);
  // Only the processor needs the system programs for audio.
  await prepareCheckout({ forRun: true, system: app === 'processor' });
  return runInForeground(builtProgramPath(app), parameters);
});
