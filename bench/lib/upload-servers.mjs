import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MALLOC_TRIM_ENV } from '../../scripts/lib/malloc-trim-env.mjs';
import { FileObjectStore } from '../../dist/libs/storage/src/index.js';
import { createBenchAccounts, startApi, startServer } from './programs.mjs';

const BASELINE = new URL('../baseline/file-server.mjs', import.meta.url);

/**
 * The API with a file store, and a plain server that writes bodies to files.
 *
 * @typedef {object} UploadServers
 * @property {import('./programs.mjs').Server} ours
 * @property {import('./programs.mjs').Server} baseline
 * @property {string} key of an account of the API
 * @property {() => Promise<void>} deleteUploads
 */

/**
 * @param {import('./bench-environment.mjs').BenchEnvironment} environment @param {string | null} profile as in `startApi`
 * @returns {Promise<UploadServers>}
 */
export async function startUploadServers(environment, profile) {
  const [{ apiKey: key }] = await createBenchAccounts(environment, 1);
  const ours = environment.stopAfterwards(await startApi({ ...environment, profile, env: MALLOC_TRIM_ENV }));
  const files = join(environment.folder, 'baseline');
  await mkdir(files);
  const baseline = environment.stopAfterwards(
    await startServer(BASELINE, environment, { parameters: [files] }),
  );
  const store = await openStore(environment.folder);
  const deleteUploads = async () => {
    await store.deletePrefix('audio/');
    await rm(files, { recursive: true });
    await mkdir(files);
  };
  return { key, ours, baseline, deleteUploads };
}

/** Opens the file store of the API to delete uploads. @param {string} folder */
function openStore(folder) {
  const signingKeys = [{ id: 'none', key: randomBytes(32) }];
  return FileObjectStore.open({ root: join(folder, 'objects'), publicUrl: 'http://127.0.0.1', signingKeys });
}
