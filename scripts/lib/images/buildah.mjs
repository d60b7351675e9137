import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runStep } from './run-step.mjs';

const run = promisify(execFile);

/**
 * Where buildah and podman keep images.
 *
 * @param {string} folder @returns {string[]}
 */
export function storageFlags(folder) {
  return ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run')];
}

/** Of each build: the Docker format has health checks. As in Docker, stages that need nothing of each other are built together. */
export const buildFlags = [
  ...['--isolation', 'chroot', '--network=host', '--format', 'docker', '--layers'],
  ...['--jobs', '3'],
];

/** @param {string} folder of the images @param {string} tag @param {string[]} parameters */
export async function build(folder, tag, parameters) {
  await runStep('buildah', [...storageFlags(folder), 'bud', ...buildFlags, '-t', tag, ...parameters]);
}

/**
 * @param {string} folder of the images @param {string} image
 * @param {(root: string) => Promise<void>} copy gets the folder in which the image is mounted
 */
export async function extractFiles(folder, image, copy) {
  const buildah = async (...parameters) =>
    (await runStep('buildah', [...storageFlags(folder), ...parameters])).trim();
  const container = await buildah('from', '--pull-never', image);
  try {
    await copy(await buildah('mount', container));
  } finally {
    await buildah('rm', container);
  }
}

/** @param {string} folder of the images @param {string} tag @returns {Promise<boolean>} */
export async function hasImage(folder, tag) {
  const inspection = run('buildah', [...storageFlags(folder), 'inspect', '--type', 'image', tag]);
  return inspection.then(
    () => true,
    () => false,
  );
}
