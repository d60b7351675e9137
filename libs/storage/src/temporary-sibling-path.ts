import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';

/** On the same file system, so that a rename to the original path is atomic. */
export function temporarySiblingPath(path: string): string {
  return join(dirname(path), `.${basename(path).slice(0, 100)}.${randomBytes(8).toString('hex')}`);
}
