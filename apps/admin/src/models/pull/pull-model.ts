import { mkdir, open, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type CatalogueFile,
  type CatalogueModel,
  getInstalledModel,
  MANIFEST_FILE_NAME,
  pickManifestFields,
  InvalidModelError,
  ModelNotFoundError,
} from '@app/speech';
import { computeFileSizeAndChecksum } from '../../backup/file-checksum.js';
import { formatSize } from '../../output.js';
import { deleteRemovalLeftovers, buildPullFolderName } from '../remove-model.js';
import { PartialFile } from './partial-file.js';
import { ModelPullError } from './model-pull-errors.js';
import { waitForModelLockAndRun } from '../model-lock.js';

const RESERVED_BYTES = 64 * 2 ** 20;

/**
 * Writes a file to a path, which may contain a part of it.
 * @returns whether the file consists of several parts
 * @throws ModelPullError; ServerUnreachableError; the reason of the signal
 */
export type FetchModelFile = (file: CatalogueFile, path: string, signal: AbortSignal) => Promise<boolean>;

export interface PullModelOptions {
  /** Folder of all models. */
  folder: string;
  fetchFile: FetchModelFile;
  signal: AbortSignal;
  log: (line: string) => void;
  freeBytes?: (folder: string) => Promise<number>;
}

/**
 * Installs a model. Its files are collected in a separate folder and renamed at once, so that an interrupted pull never
 * looks installed, and the next pull resumes it.
 * @returns false if it is installed already
 */
export async function pullModelIfNotInstalled(
  model: CatalogueModel,
  options: PullModelOptions,
): Promise<boolean> {
  const { folder, signal, log } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = join(folder, `.${model.name}.lock`);
  const waiting = () => log(`Another pull of ${model.name} is under way: waiting for it.`);
  return waitForModelLockAndRun(lock, signal, waiting, async () => {
    await deleteRemovalLeftovers(folder, model.name);
    if (await isInstalled(folder, model.name)) return false;
    const pullFolder = join(folder, buildPullFolderName(model.name));
    await mkdir(pullFolder, { recursive: true });
    await assertFreeSpace(model, pullFolder, options.freeBytes ?? readFreeBytes);
    for (const file of model.files) await pullFile(file, pullFolder, options);
    await install(model, pullFolder, join(folder, model.name));
    return true;
  });
}

async function isInstalled(folder: string, name: string): Promise<boolean> {
  return getInstalledModel(folder, name).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ModelNotFoundError || error instanceof InvalidModelError) return false;
      throw error;
    },
  );
}

async function assertFreeSpace(
  model: CatalogueModel,
  pullFolder: string,
  free: (folder: string) => Promise<number>,
): Promise<void> {
  let missing = 0;
  for (const { path, bytes } of model.files) {
    const present = Math.max(
      await fileSize(join(pullFolder, path)),
      await fileSize(partialPath(pullFolder, path)),
    );
    missing += Math.max(0, bytes - present);
  }
  const freeBytes = await free(pullFolder);
  if (freeBytes < missing + RESERVED_BYTES)
    throw new ModelPullError(
      `${model.name} needs ${formatSize(missing)} more, and ${dirname(pullFolder)} has ${formatSize(freeBytes)} free: make room, or set MODELS_DIR.`,
    );
}

/** A wrong file is fetched again if it consists of several parts; otherwise its source is wrong. */
async function pullFile(
  file: CatalogueFile,
  pullFolder: string,
  { fetchFile, signal }: PullModelOptions,
): Promise<void> {
  const path = join(pullFolder, file.path);
  if (await matchesCatalogue(path, file, signal)) return;
  const part = partialPath(pullFolder, file.path);
  await mkdir(dirname(path), { recursive: true });
  const isAssembled = await fetchFile(file, part, signal);
  if (isAssembled && !(await matchesCatalogue(part, file, signal))) {
    await new PartialFile(part).discard();
    await fetchFile(file, part, signal);
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

async function install(model: CatalogueModel, pullFolder: string, target: string): Promise<void> {
  const manifest = join(pullFolder, MANIFEST_FILE_NAME);
  await writeFile(manifest, `${JSON.stringify(pickManifestFields(model), null, 2)}\n`);
  await sync(manifest);
  await sync(pullFolder);
  // An existing folder is broken, otherwise the model would be installed.
  await rm(target, { recursive: true, force: true });
  await rename(pullFolder, target);
  await sync(dirname(target));
}

function partialPath(pullFolder: string, path: string): string {
  return join(pullFolder, `${path}.part`);
}

async function matchesCatalogue(
  path: string,
  { bytes, sha256 }: CatalogueFile,
  signal: AbortSignal,
): Promise<boolean> {
  return (
    (await fileSize(path)) === bytes && (await computeFileSizeAndChecksum(path, signal)).sha256 === sha256
  );
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
