import { readFile } from 'node:fs/promises';

const NEW_LINE = 0x0a;
const BLANK = 0x20;
/** The entry of a line, without the number of a variant. */
const ENTRY = /^(\S+?)(?:\(\d+\))?\s/;

/**
 * A pronouncing dictionary (`word PHONE PHONE` per line, variants as `word(2)`): the file's bytes with a hash table of line
 * offsets. A map of strings would take ten times the memory.
 */
export class PronunciationDictionary {
  /** Open addressing: line offset plus one, or 0 if free. The size is a power of two, the load factor at most one half. */
  private readonly places: Uint32Array;

  private constructor(private readonly bytes: Buffer) {
    let lines = 0;
    for (let at = 0; at < bytes.length; at = this.lineEnd(at) + 1) lines += 1;
    this.places = new Uint32Array(2 ** Math.ceil(Math.log2(2 * lines + 2)));
    for (let at = 0; at < bytes.length; at = this.lineEnd(at) + 1) {
      const blank = bytes.indexOf(BLANK, at);
      if (blank > at) this.places[this.slotOf(bytes.subarray(at, blank + 1))] ||= at + 1;
    }
  }

  /** @throws file system errors */
  static async read(path: string): Promise<PronunciationDictionary> {
    return new PronunciationDictionary(await readFile(path));
  }

  /** The pronunciations of the words that are in the dictionary, in the order of their variants. */
  findPronunciations(words: Iterable<string>): Map<string, string[]> {
    const found = new Map<string, string[]>();
    for (const word of words) {
      const sounds: string[] = [];
      for (
        let next = this.findPronunciation(word);
        next !== null;
        next = this.findPronunciation(`${word}(${sounds.length + 1})`)
      )
        sounds.push(next);
      if (sounds.length > 0) found.set(word, sounds);
    }
    return found;
  }

  /** The lines (latin1, with line end) of these words and their variants, in the order of the file. */
  linesFor(words: { has(word: string): boolean }): string[] {
    const lines = this.bytes.toString('latin1').split('\n');
    const wanted = lines.filter((line) => words.has(ENTRY.exec(line)?.[1] ?? ''));
    return wanted.map((line) => `${line}\n`);
  }

  private findPronunciation(entry: string): string | null {
    const wanted = Buffer.from(`${entry} `);
    const place = this.places[this.slotOf(wanted)] ?? 0;
    if (place === 0) return null;
    const at = place - 1;
    return this.bytes.toString('utf8', at + wanted.length, this.lineEnd(at)).trim();
  }

  /** The slot of the line that begins with `entry`, or the free slot for it. */
  private slotOf(entry: Buffer): number {
    const mask = this.places.length - 1;
    for (let slot = hash(entry) & mask; ; slot = (slot + 1) & mask) {
      const place = this.places[slot] ?? 0;
      if (place === 0 || this.bytes.subarray(place - 1, place - 1 + entry.length).equals(entry)) return slot;
    }
  }

  private lineEnd(from: number): number {
    const end = this.bytes.indexOf(NEW_LINE, from);
    return end < 0 ? this.bytes.length : end;
  }
}

/** FNV-1a. */
function hash(bytes: Buffer): number {
  let mixed = 0x811c9dc5;
  for (let at = 0; at < bytes.length; at += 1) mixed = Math.imul(mixed ^ (bytes[at] ?? 0), 0x01000193);
  return mixed >>> 0;
}

/** The first one or two phones of a line. */
const BEGINNING = /^\S+\s+(\S+(?: \S+)?)/;
const VARIANT = /^\S+\(\d+\)\s/;

/**
 * Sorts dictionary lines for fast loading: words with frequent initial phones first, then variants (`word(2)`), which must
 * follow their words. pocketsphinx keeps a list of initial phone pairs in order of appearance, and searches it linearly for
 * every line.
 */
export function sortForLoading(lines: readonly string[]): string[] {
  const words = new Map<string, string[]>();
  const variants: string[] = [];
  for (const line of lines) {
    if (VARIANT.test(line)) {
      variants.push(line);
      continue;
    }
    const beginning = BEGINNING.exec(line)?.[1] ?? '';
    const alike = words.get(beginning);
    if (alike) alike.push(line);
    else words.set(beginning, [line]);
  }
  return [...[...words.values()].toSorted((a, b) => b.length - a.length).flat(), ...variants];
}
