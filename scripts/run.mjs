/** `node scripts/run.mjs api|processor|admin [parameters]`: one program of the service in the foreground. */
import { builtProgram, runInForeground } from './lib/foreground.mjs';
import { endWithNpm } from './lib/lifeline.mjs';
import { prepare } from './lib/prepare.mjs';
import { runScript, Trouble } from './lib/trouble.mjs';

const APPS = ['api', 'processor', 'admin'];

await runScript(async () => {
  endWithNpm();
  const [app, ...parameters] = process.argv.slice(2);
  if (!APPS.includes(app))
    throw new Trouble(`Say which program to run: node scripts/run.mjs ${APPS.join('|')}`);
  // Only the processor works on audio; the others must not wait for its programs.
  await prepare({ toRun: true, system: app === 'processor' });
  return runInForeground(builtProgram(app), parameters);
});
