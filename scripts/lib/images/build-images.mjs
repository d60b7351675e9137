import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../root.mjs';
import { printProgress } from '../user-facing-error.mjs';
import { buildBaseImages } from './base-images.mjs';
import { build, hasImage, runStep } from './buildah.mjs';

/** By variant, the base of its programs. */
const VARIANTS = { full: 'zephyr-test-base', slim: 'zephyr-test-base', cuda: 'zephyr-test-cuda-base' };
/** Of the documented commands. */
const ARGUMENTS_FOR_LABELS = join(ROOT, 'deploy', 'image', 'build-arguments.sh');
const SERVERS = join(ROOT, 'test', 'compose', 'images');
const SUFFIX = '.Containerfile';
const CUDA_BASE = join(ROOT, 'test', 'containers', 'images', 'cuda-base.Containerfile');
const ENGINE_LIBRARIES = join(ROOT, 'node_modules', `sherpa-onnx-${process.platform}-${process.arch}`);

/**
 * Builds deploy/Containerfile, and the servers of the Compose files from Debian packages. Images that the folder has already are
 * not built again.
 *
 * @param {string} folder of the images
 */
export async function buildTestImages(folder) {
  if (!(await hasImage(folder, 'zephyr-test-node')))
    await report('the base images', () => buildBaseImages(folder));
  await buildMissing(folder, 'zephyr-test-cuda-base', ['-f', CUDA_BASE, ENGINE_LIBRARIES]);
  const labels = (await runStep('sh', [ARGUMENTS_FOR_LABELS])).trim().split(' ');
  for (const [variant, base] of Object.entries(VARIANTS))
    await buildMissing(folder, `zephyr-test:${variant}`, [
      ...labels,
      ...['--build-arg', `VARIANT=${variant}`],
      ...['--build-arg', `BASE_IMAGE=localhost/${base}`],
      ...['--build-arg', 'BUILD_IMAGE=localhost/zephyr-test-base'],
      ...['--build-arg', 'NODE_IMAGE=localhost/zephyr-test-node'],
      ...['-f', join(ROOT, 'deploy/Containerfile'), ROOT],
    ]);
  for (const file of (await readdir(SERVERS)).filter((name) => name.endsWith(SUFFIX)))
    await buildMissing(folder, `zephyr-test-${file.slice(0, -SUFFIX.length)}`, [
      ...['-f', join(SERVERS, file), SERVERS],
    ]);
}

/** @param {string} folder @param {string} tag @param {string[]} parameters */
async function buildMissing(folder, tag, parameters) {
  if (!(await hasImage(folder, tag))) await report(tag, () => build(folder, tag, parameters));
}

/** @param {string} what @param {() => Promise<void>} step */
async function report(what, step) {
  const started = Date.now();
  await step();
  printProgress(`Built ${what} in ${Math.round((Date.now() - started) / 1_000)} s.`);
}
