import { copyFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CatalogueModel } from '@app/speech';
import { formatSize } from '../../output.js';
import { downloadIntoPartialFile } from './download.js';
import { PartialFile } from './partial-file.js';
import type { DownloadProgressReporter } from './download-progress.js';
import { ModelPullError } from './model-pull-errors.js';
import type { FetchModelFile } from './pull-model.js';

export function createNetworkModelFileDownloader(
  mirror: string | undefined,
  progress: DownloadProgressReporter,
  firstDelayMs?: number,
): FetchModelFile {
  return async (file, path, signal) => {
    const onProgress = progress.begin(file.path, file.bytes);
    try {
      const partial = new PartialFile(path);
      const url = toMirrorUrl(file.url, mirror);
      return await downloadIntoPartialFile({
        url,
        bytes: file.bytes,
        partial,
        signal,
        onProgress,
        ...(firstDelayMs !== undefined && { firstDelayMs }),
      });
    } finally {
      progress.end();
    }
  };
}

/** Replaces the origin of the URL; the path of the mirror is put before the path of the file. */
export function toMirrorUrl(url: string, mirror: string | undefined): string {
  if (mirror === undefined) return url;
  const { pathname } = new URL(url);
  return `${mirror.replace(/\/+$/, '')}${pathname}`;
}

/**
 * Takes the files from a folder, or from a subfolder with the name of the model.
 * @throws ModelPullError with every missing file
 */
export async function createFolderModelFileFetcher(
  folder: string,
  model: CatalogueModel,
): Promise<FetchModelFile> {
  const sources = new Map<string, string>();
  for (const { path } of model.files) {
    const source = await findFirstFile([join(folder, path), join(folder, model.name, path)]);
    if (source !== null) sources.set(path, source);
  }
  const missing = model.files.filter(({ path }) => !sources.has(path));
  if (missing.length > 0) {
    const names = missing.map(({ path, bytes }) => `${path} (${formatSize(bytes)})`).join(', ');
    throw new ModelPullError(`${folder} lacks files of ${model.name}: ${names}.`);
  }
  return async ({ path }, target) => {
    await copyFile(sources.get(path) ?? '', target);
    return false;
  };
}

async function findFirstFile(paths: string[]): Promise<string | null> {
  for (const path of paths) {
    const found = await stat(path).catch(() => null);
    if (found?.isFile()) return path;
  }
  return null;
}
