import { existsSync, readFileSync } from 'node:fs';

let known: string | undefined;

export function readPackageVersion(): string {
  const file = new URL('package.json', getPackageFolderUrl());
  return (known ??= (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version);
}

/** The folder of the nearest package.json: the checkout or the release. */
export function getPackageFolderUrl(folder = new URL('./', import.meta.url)): URL {
  if (existsSync(new URL('package.json', folder))) return folder;
  const above = new URL('../', folder);
  if (above.href === folder.href) throw new Error('No package.json lies above the program.');
  return getPackageFolderUrl(above);
}
