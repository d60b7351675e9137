import { readFile } from 'node:fs/promises';

/** `word PHONE PHONE`, and `word(2) PHONE PHONE` for its second pronunciation. */
const ENTRY = /^(\S+?)(?:\((\d+)\))? (.+)$/gm;

/**
 * Returns first variants first. Scans the file each time (0.1 s): a map of it would take 30 MB.
 * @throws file system errors
 */
export async function findPronunciations(
  path: string,
  words: ReadonlySet<string>,
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const [, word = '', variant = '1', phones = ''] of (await readFile(path, 'utf8')).matchAll(ENTRY)) {
    if (!words.has(word)) continue;
    const variants = found.get(word) ?? [];
    variants[Number(variant) - 1] = phones.trim();
    found.set(word, variants);
  }
  return found;
}
