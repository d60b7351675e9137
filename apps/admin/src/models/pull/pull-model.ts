import { mkdir, open, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type CatalogueFile,
  type CatalogueModel,
  findModel,
  MANIFEST_FILE,
  pickManifest,
  InvalidModelError,
  ModelNotFoundError,
} from '@app/speech';
import { sha256File } from '../sha256-file.js';
import { deleteRemovalLeftovers, pullFolderName } from '../remove-model.js';
import { formatSize } from '../format-size.js';
import { PartialFile } from './partial-file.js';
import { ModelPullError } from './model-pull-errors.js';
import { withPullLock } from './pull-lock.js';

/** Left free beside the model. */
const RESERVED_BYTES = 64 * 2 ** 20;

/**
 * Brings one file to a path; may find a part of it there.
 * @returns true when it was put together of parts
 * @throws ModelPullError, Unreachable, the reason of the signal
 */
export type FetchModelFile = (file: CatalogueFile, path: string, signal: AbortSignal) => Promise<boolean>;

export interface PullModelOptions {
  /** Folder of all models. */
  folder: string;
  fetchFile: FetchModelFile;
  signal: AbortSignal;
  /** A line for the operator. */
  log: (line: string) => void;
  /** Bytes that are free in a folder. */
  freeBytes?: (folder: string) => Promise<number>;
}

/**
 * Makes a model be there, whole: its files are gathered beside the others and moved in at once, so that what was
 * interrupted never looks installed, and a further pull goes on from there.
 * @returns false when it was there already
 */
export async function pullModel(model: CatalogueModel, options: PullModelOptions): Promise<boolean> {
  const { folder, signal, log: tell } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = join(folder, `.${model.name}.lock`);
  const waiting = () => tell(`Another pull of ${model.name} is under way: waiting for it.`);
  return withPullLock(lock, signal, waiting, async () => {
    await deleteRemovalLeftovers(folder, model.name);
    if (await isInstalled(folder, model.name)) return false;
    const gathered = join(folder, pullFolderName(model.name));
    await mkdir(gathered, { recursive: true });
    await assertFreeSpace(model, gathered, options.freeBytes ?? readFreeBytes);
    for (const file of model.files) await pullFile(file, gathered, options);
    await install(model, gathered, join(folder, model.name));
    return true;
  });
}

async function isInstalled(folder: string, name: string): Promise<boolean> {
  return findModel(folder, name).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ModelNotFoundError || error instanceof InvalidModelError) return false;
      throw error;
    },
  );
}

async function assertFreeSpace(
  model: CatalogueModel,
  gathered: string,
  free: (folder: string) => Promise<number>,
): Promise<void> {
  let missing = 0;
  for (const { path, bytes } of model.files) {
    const there = Math.max(await fileSize(join(gathered, path)), await fileSize(partialPath(gathered, path)));
    missing += Math.max(0, bytes - there);
  }
  const room = await free(gathered);
  if (room < missing + RESERVED_BYTES)
    throw new ModelPullError(
      `${model.name} needs ${formatSize(missing)} more, and ${dirname(gathered)} has ${formatSize(room)} free: make room, or set MODELS_DIR.`,
    );
}

/** One that was put together of parts is brought once more when it is wrong; else it is wrong at its source. */
async function pullFile(
  file: CatalogueFile,
  gathered: string,
  { fetchFile: bring, signal }: PullModelOptions,
): Promise<void> {
  const path = join(gathered, file.path);
  if (await matchesCatalogue(path, file, signal)) return;
  const part = partialPath(gathered, file.path);
  await mkdir(dirname(path), { recursive: true });
  const pieced = await bring(file, part, signal);
  if (pieced && !(await matchesCatalogue(part, file, signal))) {
    await new PartialFile(part).discard();
    await bring(file, part, signal);
  }
  if (!(await matchesCatalogue(part, file, signal))) {
    await new PartialFile(part).discard();
    throw new ModelPullError(
      `${file.path} is not the file of the catalogue: its checksum is another. Nothing was installed.`,
    );
  }
  await sync(part);
  await rename(part, path);
  await new PartialFile(part).deleteValidator();
}

async function install(model: CatalogueModel, gathered: string, target: string): Promise<void> {
  const manifest = join(gathered, MANIFEST_FILE);
  await writeFile(manifest, `${JSON.stringify(pickManifest(model), null, 2)}\n`);
  await sync(manifest);
  await sync(gathered);
  // What is there is broken, or it would have been found.
  await rm(target, { recursive: true, force: true });
  await rename(gathered, target);
  await sync(dirname(target));
}

function partialPath(gathered: string, path: string): string {
  return join(gathered, `${path}.part`);
}

async function matchesCatalogue(
  path: string,
  { bytes, sha256 }: CatalogueFile,
  signal: AbortSignal,
): Promise<boolean> {
  return (await fileSize(path)) === bytes && (await sha256File(path, signal)) === sha256;
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

async function fileSize(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

async function readFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
