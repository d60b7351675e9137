/**
 * `npm run test:containers`: builds the images from Debian packages, and runs them with Podman and, by the Compose files, with a
 * Docker daemon of its own. Takes up to an hour and 15 GB of disk; needs root. IMAGES_FOLDER keeps the images, and what it has
 * already is not built again.
 *
 *   --build-only  no tests; needs IMAGES_FOLDER
 *
 * Other arguments go to vitest.
 */
import { withImagesFolder } from './lib/images/images-folder.mjs';
import { prepareCheckout } from './lib/prepare-checkout.mjs';
import { PROGRAMS_FOR_CONTAINER_TESTS } from './lib/system/required-programs.mjs';
import { runSuites } from './lib/test-suites.mjs';
import { runScript, UserFacingError } from './lib/user-facing-error.mjs';

const BUILD_ONLY = '--build-only';
const TIMEOUT_MS = 90 * 60_000;
/** Its networks and ports are its own, and all processes and mounts end with the suite. */
const NAMESPACES = ['unshare', '--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
const WITH_LOOPBACK = ['sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];

await runScript(async () => {
  const kept = process.env['IMAGES_FOLDER'];
  const [first, ...others] = process.argv.slice(2);
  const buildOnly = first === BUILD_ONLY;
  if (buildOnly && (kept === undefined || others.length > 0))
    throw new UserFacingError(
      `${BUILD_ONLY} needs the folder of the images in IMAGES_FOLDER, and takes no more arguments.`,
    );
  await prepareCheckout({ tests: true, build: false, programs: PROGRAMS_FOR_CONTAINER_TESTS });
  return withImagesFolder(kept, async (folder) => {
    process.env['IMAGES_FOLDER'] = folder;
    // It needs npm packages, which a new checkout does not have before.
    const { buildTestImages } = await import('./lib/images/build-images.mjs');
    await buildTestImages(folder);
    if (buildOnly) return 0;
    return runSuites(['containers', 'compose'], {
      parameters: process.argv.slice(2),
      timeoutMs: TIMEOUT_MS,
      wrappers: { compose: [...NAMESPACES, ...WITH_LOOPBACK] },
    });
  });
});
