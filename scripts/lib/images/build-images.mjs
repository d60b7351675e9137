import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../root.mjs';
import { printProgress } from '../user-facing-error.mjs';
import { buildBaseImages } from './base-images.mjs';
import { build, hasImage } from './buildah.mjs';
import { runDocumentedBuilds } from './documented-builds.mjs';
import { runConcurrently } from './run-concurrently.mjs';

const SERVERS = join(ROOT, 'test', 'compose', 'images');
const SUFFIX = '.Containerfile';
const CUDA = join(ROOT, 'test', 'containers', 'images', 'cuda.Containerfile');
const ENGINE_LIBRARIES = join(ROOT, 'node_modules', `sherpa-onnx-${process.platform}-${process.arch}`);

/**
 * Builds all variants of the image by the documented commands, and the servers of the Compose files from Debian packages. Images
 * that the folder has already are not built again.
 *
 * @param {string} folder of the images
 */
export async function buildTestImages(folder) {
  if (!(await hasImage(folder, 'zephyr-test-node')))
    await report('the base images', () => buildBaseImages(folder));
  await runConcurrently([
    async () => {
      await buildMissing(folder, 'zephyr-test-cuda', ['-f', CUDA, ENGINE_LIBRARIES]);
      await runDocumentedBuilds(folder, report);
    },
    () => buildServers(folder),
  ]);
}

/** @param {string} folder */
async function buildServers(folder) {
  for (const file of (await readdir(SERVERS)).filter((name) => name.endsWith(SUFFIX)))
    await buildMissing(folder, `zephyr-test-${file.slice(0, -SUFFIX.length)}`, [
      ...['-f', join(SERVERS, file), SERVERS],
    ]);
}

/** @param {string} folder @param {string} tag @param {string[]} parameters */
async function buildMissing(folder, tag, parameters) {
  if (!(await hasImage(folder, tag))) await report(tag, () => build(folder, tag, parameters));
}

/** @param {string} what @param {() => Promise<unknown>} step */
async function report(what, step) {
  const started = Date.now();
  await step();
  printProgress(`Built ${what} in ${Math.round((Date.now() - started) / 1_000)} s.`);
}
