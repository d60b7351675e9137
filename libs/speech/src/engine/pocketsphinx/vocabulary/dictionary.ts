import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** The entries of a pronouncing dictionary (`word SOUND SOUND` a line, variants as `word(2)`) for the wanted words. */
export async function lookUp(path: string, wanted: ReadonlySet<string>): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  if (wanted.size === 0) return found;
  for await (const line of createInterface({ input: createReadStream(path, 'utf8') })) {
    const blank = line.indexOf(' ');
    const word = line.slice(0, blank).replace(/\(\d+\)$/, '');
    if (blank > 0 && wanted.has(word))
      found.set(word, [...(found.get(word) ?? []), line.slice(blank + 1).trim()]);
  }
  return found;
}
