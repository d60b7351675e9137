import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';

/** A fresh name beside a path, on its file system: what is written there takes the path's place in one step. */
export function temporarySiblingPath(path: string): string {
  return join(dirname(path), `.${basename(path).slice(0, 100)}.${randomBytes(8).toString('hex')}`);
}
