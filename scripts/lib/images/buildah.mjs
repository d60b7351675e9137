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
 * @param {string} command @param {string[]} parameters
 * @returns {Promise<string>} its output
 * @throws UserFacingError with the end of its output
 */
export async function runStep(command, parameters) {
  const options = { cwd: ROOT, timeout: STEP_MS, maxBuffer: 512 * 2 ** 20 };
  const step = run(command, parameters, options).catch(({ killed, stdout = '', stderr = '' }) => {
    const output = `${stdout.slice(-MAX_OUTPUT_LENGTH)}\n${stderr.slice(-MAX_OUTPUT_LENGTH)}`;
    const end = killed ? `did not end within ${STEP_MS / 60_000} minutes` : 'failed';
    throw new UserFacingError(`${[command, ...parameters].join(' ')} ${end}.`, output);
  });
  return (await step).stdout;
}

/** @param {string} folder of the images @param {string} tag @param {string[]} parameters */
export async function build(folder, tag, parameters) {
  const flags = ['--isolation', 'chroot', '--network=host', '--format', 'docker', '--layers'];
  await runStep('buildah', [...storageFlags(folder), 'bud', ...flags, '-t', tag, ...parameters]);
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
