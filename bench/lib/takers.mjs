import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { GIVES_BACK } from '../../scripts/lib/memory.mjs';
import { FileObjectStore } from '../../dist/libs/storage/src/index.js';
import { openAccounts, startApi, startServer } from './programs.mjs';

const BASELINE = new URL('../baseline/file-server.mjs', import.meta.url);

/**
 * The API with its store of files, and a plain server that does no more than take bodies into files.
 *
 * @typedef {object} Takers
 * @property {import('./programs.mjs').Server} ours
 * @property {import('./programs.mjs').Server} baseline
 * @property {string} key of an organisation of the API
 * @property {() => Promise<void>} empty removes all that was taken
 */

/**
 * @param {import('./scene.mjs').Scene} scene @param {string | null} profile as in `startApi`
 * @returns {Promise<Takers>}
 */
export async function startTakers(scene, profile) {
  const [{ apiKey: key }] = await openAccounts(scene, 1);
  const ours = scene.keep(await startApi({ ...scene, profile, more: GIVES_BACK }));
  const files = join(scene.folder, 'baseline');
  await mkdir(files);
  const baseline = scene.keep(await startServer(BASELINE, scene, { parameters: [files] }));
  const store = await openStore(scene.folder);
  const empty = async () => {
    await store.deletePrefix('audio/');
    await rm(files, { recursive: true });
    await mkdir(files);
  };
  return { key, ours, baseline, empty };
}

/** The store of an API whose folder this is, to delete in. @param {string} folder */
function openStore(folder) {
  const signingKeys = [{ id: 'none', key: randomBytes(32) }];
  return FileObjectStore.open({ root: join(folder, 'objects'), publicUrl: 'http://127.0.0.1', signingKeys });
}
