import { copyFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CatalogueModel } from '@app/speech';
import { formatSize } from '../format-size.js';
import { downloadFile } from './download.js';
import { PartialFile } from './partial-file.js';
import type { DownloadProgress } from './download-progress.js';
import { ModelPullError } from './model-pull-errors.js';
import type { FetchModelFile } from './pull-model.js';

/** Files from where the catalogue says, or from a mirror that has them under the same paths. */
export function createNetworkSource(
  mirror: string | undefined,
  progress: DownloadProgress,
  firstDelayMs?: number,
): FetchModelFile {
  return async (file, path, signal) => {
    const shown = progress.begin(file.path, file.bytes);
    try {
      const partial = new PartialFile(path);
      const url = mirrorUrl(file.url, mirror);
      return await downloadFile({
        url,
        bytes: file.bytes,
        partial,
        signal,
        progress: shown,
        ...(firstDelayMs !== undefined && { firstDelayMs }),
      });
    } finally {
      progress.end();
    }
  };
}

/** The address with another server before its path; what the mirror's own path is comes first. */
export function mirrorUrl(url: string, mirror: string | undefined): string {
  if (mirror === undefined) return url;
  const { pathname } = new URL(url);
  return `${mirror.replace(/\/+$/, '')}${pathname}`;
}

/**
 * Files that somebody put into a folder, or into one of the model's name in it.
 * @throws ModelPullError naming every file that is not there
 */
export async function createFolderSource(folder: string, model: CatalogueModel): Promise<FetchModelFile> {
  const places = new Map<string, string>();
  for (const { path } of model.files) {
    const place = await firstFile([join(folder, path), join(folder, model.name, path)]);
    if (place !== null) places.set(path, place);
  }
  const missing = model.files.filter(({ path }) => !places.has(path));
  if (missing.length > 0) {
    const names = missing.map(({ path, bytes }) => `${path} (${formatSize(bytes)})`).join(', ');
    throw new ModelPullError(`${folder} lacks files of ${model.name}: ${names}.`);
  }
  return async ({ path }, part) => {
    await copyFile(places.get(path) ?? '', part);
    return false;
  };
}

async function firstFile(paths: string[]): Promise<string | null> {
  for (const path of paths) {
    const found = await stat(path).catch(() => null);
    if (found?.isFile()) return path;
  }
  return null;
}
