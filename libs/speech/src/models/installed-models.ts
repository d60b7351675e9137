import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Manifest, MANIFEST, MODEL_NAME, readManifest } from './manifest.js';
import type { InstalledModel } from './model.js';
import { ModelBroken, ModelMissing } from './model-errors.js';

/**
 * All models in the folder, by name; none when there is no folder.
 * @throws ModelBroken naming the folder of a model and what is wrong with it
 */
export async function installedModels(folder: string): Promise<InstalledModel[]> {
  const models: InstalledModel[] = [];
  for (const name of await modelFolders(folder)) {
    const model = await modelIn(join(folder, name));
    if (model !== null) models.push(model);
  }
  return models;
}

/**
 * @throws ModelMissing telling how to fetch it
 * @throws ModelBroken telling what is wrong with it
 */
export async function findModel(folder: string, name: string): Promise<InstalledModel> {
  const model = MODEL_NAME.test(name) ? await modelIn(join(folder, name)) : null;
  if (model === null) throw new ModelMissing(name, folder);
  return model;
}

/** The names of folders that may hold a model; what a pull has not finished begins with a dot. */
export async function modelFolders(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => MODEL_NAME.test(name)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Null when the folder has no manifest. The sizes of the files are compared, their bytes are not. */
async function modelIn(folder: string): Promise<InstalledModel | null> {
  const manifest = await readManifest(folder);
  if (manifest === null) return null;
  if (manifest.name !== basename(folder))
    throw new ModelBroken(folder, `its ${MANIFEST} is that of ${manifest.name}`);
  await compareSizes(folder, manifest);
  const { name, kind, family, languages, settings } = manifest;
  const files = Object.fromEntries(manifest.files.map(({ role, path }) => [role, join(folder, path)]));
  return { name, kind, family, languages, files, settings };
}

async function compareSizes(folder: string, { files }: Manifest): Promise<void> {
  for (const { path, bytes } of files) {
    const found = await stat(join(folder, path)).catch(() => null);
    if (!found?.isFile()) throw new ModelBroken(folder, `${path} is missing`);
    if (found.size !== bytes)
      throw new ModelBroken(folder, `${path} has ${found.size} bytes instead of ${bytes}`);
  }
}
