import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ROOT } from './root.mjs';

/** What a file of tests is called; suites are called by others. */
export const TEST_FILE = /\.(test|suite|contract)\.(ts|mjs)$/;

/** Path of each test file by its own name; undefined for a name that several have, as they cannot be told apart. */
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

/** Whether the source has the text between quotes, as a test is named there. @param {string} source @param {string} name */
export function containsTestName(source, name) {
  return ["'", '"', '`'].some((quote) => source.includes(quote + name + quote));
}
