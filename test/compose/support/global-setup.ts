import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { findImagesFolder } from '../../containers/support/images-folder.js';
import { DockerDaemon } from './docker-daemon.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the Docker daemon that all files use. */
    daemonFolder: string;
  }
}

/** By the name under which Compose files, or `.env` for the test, look for it. */
const IMAGES = {
  'zephyr-test:full': 'zephyr:full',
  'zephyr-test-postgres': 'zephyr-test-postgres:latest',
  'zephyr-test-redis': 'zephyr-test-redis:latest',
  'zephyr-test-haproxy': 'zephyr-test-haproxy:latest',
  'zephyr-test-objects': 'zephyr-test-objects:latest',
  'zephyr-test-prometheus': 'zephyr-test-prometheus:latest',
  'zephyr-test-grafana': 'zephyr-test-grafana:latest',
};

/** Starts a Docker daemon and gives it the images that `npm run test:containers` has built. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const images = findImagesFolder();
  const folder = await mkdtemp(join(tmpdir(), 'zephyr-docker-'));
  const daemon = new DockerDaemon(folder);
  const remove = async () => {
    await daemon.stop();
    await rm(folder, { recursive: true, force: true });
  };
  await daemon.start();
  try {
    for (const [tag, name] of Object.entries(IMAGES)) await daemon.load(images, tag, name);
  } catch (error) {
    await remove();
    throw error;
  }
  project.provide('daemonFolder', folder);
  return remove;
}
