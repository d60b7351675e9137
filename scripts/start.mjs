/**
 * `npm start`: the whole service (api and processor) in the foreground. `npm start -- --models` first downloads the
 * recommended models.
 */
import { builtProgramPath, runInForeground } from './lib/foreground.mjs';
import { exitWhenNpmExits } from './lib/parent-process.mjs';
import { prepareCheckout } from './lib/prepare-checkout.mjs';
import { INTERRUPTED_EXIT_CODE, offerRecommendedModels } from './lib/recommended-models.mjs';
import { runScript } from './lib/user-facing-error.mjs';

await runScript(async () => {
  exitWhenNpmExits();
  const parameters = process.argv.slice(2);
  const wanted = parameters.includes('--models');
  await prepareCheckout({ forRun: true });
  if (!(await offerRecommendedModels({ wanted }))) return INTERRUPTED_EXIT_CODE;
  const others = parameters.filter((parameter) => parameter !== '--models');
  return runInForeground(builtProgramPath('admin'), ['start', ...others]);
});
