import { type FileHandle, open } from 'node:fs/promises';

/** A word to add, and how likely it is wherever it may stand, 0 to 1. */
export interface AddedWord {
  word: string;
  probability: number;
}

/** The file is no trigram model of the kind that can take more words. */
export class UnsupportedLanguageModelError extends Error {
  override readonly name = 'UnsupportedLanguageModelError';
}

const MAGIC = Buffer.from('Trie Language Model');
const ORDER = 3;
const COUNTS_OFFSET = MAGIC.length + 1;
const HEADER_BYTES = COUNTS_OFFSET + 4 * ORDER;
/** Three tables of 65,536 floats, behind a number that tells their kind. */
const TABLES_BYTES = 4 + 3 * 65_536 * 4;
/** Probability and back-off as floats, and the place of the first pair that begins with the word. */
const UNIGRAM_BYTES = 12;
const COPY_BUFFER_BYTES = 1024 * 1024;
/** Logarithms in the file have this base. */
const LOG_BASE = Math.log(1.0001);

/** Where things are in a binary model: head, tables, single words and their end mark, pairs and triples, names. */
interface Layout {
  words: number;
  endMarkOffset: number;
  namesOffset: number;
  nameBytes: number;
}

/**
 * Writes a copy of the binary model `source` to `target` that knows more words. A new word has no pairs of its own:
 * what follows it is as likely as anywhere.
 *
 * Throws `UnsupportedLanguageModelError` when the model is of another kind, or has no room for so many words.
 */
export async function extendLanguageModel(
  source: string,
  target: string,
  added: readonly AddedWord[],
): Promise<void> {
  const file = await open(source);
  try {
    const head = await readAt(file, 0, HEADER_BYTES);
    const layout = await readLayout(file, head);
    const { words, endMarkOffset: endMarkAt, namesOffset: namesAt, nameBytes } = layout;
    // Words are numbered in as many bits as their count needs: one more bit would move everything.
    if (bitWidth(words + added.length) !== bitWidth(words))
      throw new UnsupportedLanguageModelError('No room for more words.');
    const pairsEnd = (await readAt(file, endMarkAt, UNIGRAM_BYTES)).readUInt32LE(8);
    const names = Buffer.from(added.map(({ word }) => `${word}\0`).join(''), 'latin1');
    head.writeUInt32LE(words + added.length, COUNTS_OFFSET);
    const out = await open(target, 'wx');
    try {
      await out.writeFile(head);
      await copy(file, HEADER_BYTES, endMarkAt, out);
      await out.writeFile(encodeUnigrams(added, pairsEnd));
      await copy(file, endMarkAt, namesAt, out);
      await out.writeFile(encodeUint32(nameBytes + names.length));
      await copy(file, namesAt + 4, namesAt + 4 + nameBytes, out);
      await out.writeFile(names);
    } finally {
      await out.close();
    }
  } finally {
    await file.close();
  }
}

/** How likely each of the words that the model knows is by itself, 0 to 1. Throws `UnsupportedLanguageModelError`. */
export async function readUnigramProbabilities(source: string): Promise<Map<string, number>> {
  const file = await open(source);
  try {
    const {
      words,
      endMarkOffset: endMarkAt,
      namesOffset: namesAt,
      nameBytes,
    } = await readLayout(file, await readAt(file, 0, HEADER_BYTES));
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

async function readLayout(file: FileHandle, head: Buffer): Promise<Layout> {
  const known = head.subarray(0, MAGIC.length).equals(MAGIC) && head[MAGIC.length] === ORDER;
  if (!known) throw new UnsupportedLanguageModelError('Not a binary trigram model.');
  const [words = 0, pairs = 0, triples = 0] = [0, 1, 2].map((at) =>
    head.readUInt32LE(COUNTS_OFFSET + 4 * at),
  );
  const endMarkAt = HEADER_BYTES + TABLES_BYTES + words * UNIGRAM_BYTES;
  const pairBytes = packedBytes(pairs, bitWidth(words) + 32 + bitWidth(triples));
  const namesAt = endMarkAt + UNIGRAM_BYTES + pairBytes + packedBytes(triples, bitWidth(words) + 16);
  const nameBytes = (await readAt(file, namesAt, 4)).readUInt32LE(0);
  const { size } = await file.stat();
  if (size !== namesAt + 4 + nameBytes)
    throw new UnsupportedLanguageModelError('Its parts do not have the expected lengths.');
  return { words, endMarkOffset: endMarkAt, namesOffset: namesAt, nameBytes };
}

/** Bytes of so many entries and one more, of so many bits each, and eight that are read beyond the end. */
function packedBytes(entries: number, bits: number): number {
  return Math.floor(((1 + entries) * bits + 7) / 8) + 8;
}

function bitWidth(value: number): number {
  return 32 - Math.clz32(value);
}

function encodeUnigrams(added: readonly AddedWord[], pairsEnd: number): Buffer {
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
  if (bytesRead !== length) throw new UnsupportedLanguageModelError('It ends too early.');
  return bytes;
}

/** Copies the bytes from `from` up to `to` to where `out` is, through one buffer: this is most of the work. */
async function copy(file: FileHandle, from: number, to: number, out: FileHandle): Promise<void> {
  const buffer = Buffer.allocUnsafe(Math.min(COPY_BUFFER_BYTES, to - from));
  for (let at = from; at < to;) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, to - at), at);
    if (bytesRead === 0) throw new UnsupportedLanguageModelError('It ends too early.');
    await out.writeFile(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
}

function encodeUint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
