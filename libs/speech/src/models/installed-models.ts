import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Manifest, MANIFEST_FILE_NAME, MODEL_NAME_PATTERN, readManifest } from './manifest.js';
import { type InstalledModel, InvalidModelError, ModelNotFoundError } from './installed-model.js';

/** Sorted by name; empty when the folder is missing. @throws InvalidModelError */
export async function listInstalledModels(folder: string): Promise<InstalledModel[]> {
  const models: InstalledModel[] = [];
  for (const name of await listModelFolderNames(folder)) {
    const model = await readModel(join(folder, name));
    if (model !== null) models.push(model);
  }
  return models;
}

/** @throws ModelNotFoundError; InvalidModelError */
export async function getInstalledModel(folder: string, name: string): Promise<InstalledModel> {
  const model = MODEL_NAME_PATTERN.test(name) ? await readModel(join(folder, name)) : null;
  if (model === null) throw new ModelNotFoundError(name, folder);
  return model;
}

/** Skips incomplete downloads, which begin with a dot. */
export async function listModelFolderNames(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => MODEL_NAME_PATTERN.test(name)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Null without a manifest. Compares the sizes of the files, not their checksums. */
async function readModel(folder: string): Promise<InstalledModel | null> {
  const manifest = await readManifest(folder);
  if (manifest === null) return null;
  if (manifest.name !== basename(folder))
    throw new InvalidModelError(folder, `its ${MANIFEST_FILE_NAME} is that of ${manifest.name}`);
  await validateFileSizes(folder, manifest);
  const { name, kind, family, languages, settings } = manifest;
  const files = Object.fromEntries(manifest.files.map(({ role, path }) => [role, join(folder, path)]));
  return { name, kind, family, languages, files, settings };
}

async function validateFileSizes(folder: string, { files }: Manifest): Promise<void> {
  for (const { path, bytes } of files) {
    const found = await stat(join(folder, path)).catch(() => null);
    if (!found?.isFile()) throw new InvalidModelError(folder, `${path} is missing`);
    if (found.size !== bytes)
      throw new InvalidModelError(folder, `${path} has ${found.size} bytes instead of ${bytes}`);
  }
}
