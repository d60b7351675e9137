import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../root.mjs';
import { UserFacingError } from '../user-facing-error.mjs';

const run = promisify(execFile);
const STEP_MS = 40 * 60_000;
const MAX_OUTPUT_LENGTH = 4_000;

/**
 * Where buildah and podman keep images.
 *
 * @param {string} folder @returns {string[]}
 */
export function storageFlags(folder) {
  return ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run')];
}

/**
 * @param {string} command @param {string[]} parameters @param {string} [cwd]
 * @returns {Promise<string>} its output
 * @throws UserFacingError with the end of its output
 */
export async function runStep(command, parameters, cwd = ROOT) {
  const options = { cwd, timeout: STEP_MS, maxBuffer: 512 * 2 ** 20 };
  const step = run(command, parameters, options).catch(({ killed, stdout = '', stderr = '' }) => {
    const output = `${stdout.slice(-MAX_OUTPUT_LENGTH)}\n${stderr.slice(-MAX_OUTPUT_LENGTH)}`;
    const end = killed ? `did not end within ${STEP_MS / 60_000} minutes` : 'failed';
    throw new UserFacingError(`${[command, ...parameters].join(' ')} ${end}.`, output);
  });
  return (await step).stdout;
}

/** Of each build: the Docker format has health checks. */
export const buildFlags = ['--isolation', 'chroot', '--network=host', '--format', 'docker', '--layers'];

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

/** @param {string} folder of the images, in which an interrupted build has left mounts */
export async function deleteImages(folder) {
  await run('umount', ['--recursive', '--lazy', join(folder, 'storage', 'overlay')]).catch(() => undefined);
  await rm(folder, { recursive: true, force: true });
}

/** @param {string} folder of the images @param {string} tag @returns {Promise<boolean>} */
export async function hasImage(folder, tag) {
  const inspection = run('buildah', [...storageFlags(folder), 'inspect', '--type', 'image', tag]);
  return inspection.then(
    () => true,
    () => false,
  );
}
