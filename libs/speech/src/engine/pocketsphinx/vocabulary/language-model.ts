import { type FileHandle, open } from 'node:fs/promises';

/** A word to add, and how likely it is wherever it may stand, 0 to 1. */
export interface NewWord {
  word: string;
  probability: number;
}

/** The file is no trigram model of the kind that can take more words. */
export class LanguageModelUnknown extends Error {
  override readonly name = 'LanguageModelUnknown';
}

const TITLE = Buffer.from('Trie Language Model');
const ORDER = 3;
const COUNTS_AT = TITLE.length + 1;
const HEAD_BYTES = COUNTS_AT + 4 * ORDER;
/** Three tables of 65,536 floats, behind a number that tells their kind. */
const TABLES_BYTES = 4 + 3 * 65_536 * 4;
/** Probability and back-off as floats, and the place of the first pair that begins with the word. */
const UNIGRAM_BYTES = 12;
const COPIED_AT_ONCE = 1024 * 1024;
/** Logarithms in the file have this base. */
const LOG_BASE = Math.log(1.0001);

/** Where things are in a binary model: head, tables, single words and their end mark, pairs and triples, names. */
interface Layout {
  words: number;
  endMarkAt: number;
  namesAt: number;
  nameBytes: number;
}

/**
 * Writes a copy of the binary model `source` to `target` that knows more words. A new word has no pairs of its own:
 * what follows it is as likely as anywhere.
 *
 * Throws `LanguageModelUnknown` when the model is of another kind, or has no room for so many words.
 */
export async function extendLanguageModel(
  source: string,
  target: string,
  added: readonly NewWord[],
): Promise<void> {
  const file = await open(source);
  try {
    const head = await readAt(file, 0, HEAD_BYTES);
    const layout = await layoutOf(file, head);
    const { words, endMarkAt, namesAt, nameBytes } = layout;
    // Words are numbered in as many bits as their count needs: one more bit would move everything.
    if (bitsOf(words + added.length) !== bitsOf(words))
      throw new LanguageModelUnknown('No room for more words.');
    const pairsEnd = (await readAt(file, endMarkAt, UNIGRAM_BYTES)).readUInt32LE(8);
    const names = Buffer.from(added.map(({ word }) => `${word}\0`).join(''), 'latin1');
    head.writeUInt32LE(words + added.length, COUNTS_AT);
    const out = await open(target, 'wx');
    try {
      await out.writeFile(head);
      await copy(file, HEAD_BYTES, endMarkAt, out);
      await out.writeFile(unigrams(added, pairsEnd));
      await copy(file, endMarkAt, namesAt, out);
      await out.writeFile(inFourBytes(nameBytes + names.length));
      await copy(file, namesAt + 4, namesAt + 4 + nameBytes, out);
      await out.writeFile(names);
    } finally {
      await out.close();
    }
  } finally {
    await file.close();
  }
}

/** How likely each of the words that the model knows is by itself, 0 to 1. Throws `LanguageModelUnknown`. */
export async function likelihoods(source: string): Promise<Map<string, number>> {
  const file = await open(source);
  try {
    const { words, endMarkAt, namesAt, nameBytes } = await layoutOf(file, await readAt(file, 0, HEAD_BYTES));
    const names = (await readAt(file, namesAt + 4, nameBytes)).toString('latin1').split('\0');
    const table = await readAt(file, endMarkAt - words * UNIGRAM_BYTES, words * UNIGRAM_BYTES);
    const known = new Map<string, number>();
    for (let index = 0; index < words; index += 1)
      known.set(names[index] ?? '', Math.exp(table.readFloatLE(index * UNIGRAM_BYTES) * LOG_BASE));
    return known;
  } finally {
    await file.close();
  }
}

async function layoutOf(file: FileHandle, head: Buffer): Promise<Layout> {
  const known = head.subarray(0, TITLE.length).equals(TITLE) && head[TITLE.length] === ORDER;
  if (!known) throw new LanguageModelUnknown('Not a binary trigram model.');
  const [words = 0, pairs = 0, triples = 0] = [0, 1, 2].map((at) => head.readUInt32LE(COUNTS_AT + 4 * at));
  const endMarkAt = HEAD_BYTES + TABLES_BYTES + words * UNIGRAM_BYTES;
  const pairBytes = packed(pairs, bitsOf(words) + 32 + bitsOf(triples));
  const namesAt = endMarkAt + UNIGRAM_BYTES + pairBytes + packed(triples, bitsOf(words) + 16);
  const nameBytes = (await readAt(file, namesAt, 4)).readUInt32LE(0);
  const { size } = await file.stat();
  if (size !== namesAt + 4 + nameBytes)
    throw new LanguageModelUnknown('Its parts do not have the expected lengths.');
  return { words, endMarkAt, namesAt, nameBytes };
}

/** Bytes of so many entries and one more, of so many bits each, and eight that are read beyond the end. */
function packed(entries: number, bits: number): number {
  return Math.floor(((1 + entries) * bits + 7) / 8) + 8;
}

function bitsOf(value: number): number {
  return 32 - Math.clz32(value);
}

function unigrams(added: readonly NewWord[], pairsEnd: number): Buffer {
  const rows = Buffer.alloc(added.length * UNIGRAM_BYTES);
  added.forEach(({ probability }, index) => {
    rows.writeFloatLE(Math.log(probability) / LOG_BASE, index * UNIGRAM_BYTES);
    rows.writeUInt32LE(pairsEnd, index * UNIGRAM_BYTES + 8);
  });
  return rows;
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, position);
  if (bytesRead !== length) throw new LanguageModelUnknown('It ends too early.');
  return bytes;
}

/** Copies the bytes from `from` up to `to` to where `out` is, through one buffer: this is most of the work. */
async function copy(file: FileHandle, from: number, to: number, out: FileHandle): Promise<void> {
  const buffer = Buffer.allocUnsafe(Math.min(COPIED_AT_ONCE, to - from));
  for (let at = from; at < to;) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, to - at), at);
    if (bytesRead === 0) throw new LanguageModelUnknown('It ends too early.');
    await out.writeFile(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
}

function inFourBytes(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
