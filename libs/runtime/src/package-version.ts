import { existsSync, readFileSync } from 'node:fs';

let known: string | undefined;

/** Uses the nearest package.json, of the checkout or of the release. */
export function readPackageVersion(): string {
  return (known ??= readVersion(new URL('./package.json', import.meta.url)));
}

function readVersion(file: URL): string {
  if (existsSync(file)) return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
  const above = new URL('../package.json', file);
  if (above.href === file.href) throw new Error('No package.json lies above the program.');
  return readVersion(above);
}
