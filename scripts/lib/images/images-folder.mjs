import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInterruptibly, STOP_SIGNALS } from '../interruption.mjs';
import { storageFlags } from './buildah.mjs';

const REMOVAL_MS = 60_000;
const DELETE_TRIES = { maxRetries: 20, retryDelay: 250 };

/**
 * Runs work with a folder of images, which is deleted when the process exits, also by a signal or in the middle of the work.
 *
 * @template T
 * @param {string | undefined} kept an existing folder, which is kept
 * @param {(folder: string) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withImagesFolder(kept, work) {
  return runInterruptibly(async () => {
    if (kept !== undefined) return work(kept);
    const folder = await mkdtemp(join(tmpdir(), 'zephyr-containers-'));
    process.on('exit', () => {
      // Gigabytes take seconds, in which an impatient signal would end the deletion.
      for (const signal of STOP_SIGNALS) process.on(signal, () => undefined);
      deleteImages(folder);
    });
    return work(folder);
  });
}

/** Deletes images, and the containers and mounts that an interrupted run has left. @param {string} folder */
function deleteImages(folder) {
  const options = /** @type {const} */ ({ stdio: 'ignore', timeout: REMOVAL_MS });
  if (existsSync(join(folder, 'storage'))) {
    const flags = [...storageFlags(folder), '--cgroup-manager=cgroupfs', '--runtime=/usr/sbin/runc'];
    spawnSync('podman', [...flags, 'rm', '--all', '--force', '--time', '0'], options);
    spawnSync('umount', ['--recursive', '--lazy', join(folder, 'storage', 'overlay')], options);
  }
  rmSync(folder, { recursive: true, force: true, ...DELETE_TRIES });
}
