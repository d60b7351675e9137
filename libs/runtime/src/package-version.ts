import { existsSync, readFileSync } from 'node:fs';

let known: string | undefined;

/** The version of the package that is running, from the nearest package.json: that of the checkout or the release. */
export function packageVersion(): string {
  return (known ??= readVersion(new URL('./package.json', import.meta.url)));
}

function readVersion(file: URL): string {
  if (existsSync(file)) return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
  const above = new URL('../package.json', file);
  if (above.href === file.href) throw new Error('No package.json lies above the program.');
  return readVersion(above);
}
