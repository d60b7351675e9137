/** `npm run build`: installs the npm packages if necessary, and builds all of `dist`, also what has not changed. */
import { prepareCheckout } from './lib/prepare-checkout.mjs';
import { runScript } from './lib/user-facing-error.mjs';

await runScript(async () => {
  await prepareCheckout({ system: false, rebuild: true });
  return 0;
});
