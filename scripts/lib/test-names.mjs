import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ROOT } from './root.mjs';

export const TEST_FILE = /\.(test|suite|contract)\.(ts|mjs)$/;

/** @returns paths of test files by file name; undefined for a name that several files have */
export async function listTestFiles() {
  const found = new Map();
  for (const folder of ['apps', 'libs', 'test', 'scripts']) {
    for (const entry of await readdir(join(ROOT, folder), { recursive: true })) {
      const name = basename(entry);
      if (TEST_FILE.test(name)) found.set(name, found.has(name) ? undefined : join(ROOT, folder, entry));
    }
  }
  return found;
}

/** Whether the source contains the name in quotes. @param {string} source @param {string} name */
export function containsTestName(source, name) {
  return ["'", '"', '`'].some((quote) => source.includes(quote + name + quote));
}
