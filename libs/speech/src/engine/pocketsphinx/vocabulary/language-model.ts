import { type FileHandle, open } from 'node:fs/promises';
import type { EnglishModelPaths } from '../installation.js';

/** `probability` is that of the unigram, 0 to 1. */
export interface AddedWord {
  word: string;
  probability: number;
}

/** The model has no trigrams, or no room for more words. */
export class UnsupportedLanguageModelError extends Error {
  override readonly name = 'UnsupportedLanguageModelError';
}

const MAGIC = Buffer.from('Trie Language Model');
const ORDER = 3;
const COUNTS_OFFSET = MAGIC.length + 1;
const HEADER_BYTES = COUNTS_OFFSET + 4 * ORDER;
/** Three quantization tables of 65,536 floats after a type field. */
const TABLES_BYTES = 4 + 3 * 65_536 * 4;
/** Probability, back-off (both float) and index of the first bigram. */
const UNIGRAM_BYTES = 12;
const COPY_BUFFER_BYTES = 1024 * 1024;
/** Base of the logarithms in the file. */
const LOG_BASE = Math.log(1.0001);

/** Offsets in a binary model: header, tables, unigrams with end mark, bigrams and trigrams, names. */
interface Layout {
  words: number;
  endMarkOffset: number;
  namesOffset: number;
  nameBytes: number;
}

/**
 * Added words have no bigrams, so any word may follow.
 * @throws UnsupportedLanguageModelError for another type of model, or when the word ids do not have enough bits
 */
export async function writeExtendedLanguageModel(
  source: string,
  target: string,
  added: readonly AddedWord[],
): Promise<void> {
  const file = await open(source);
  try {
    const head = await readAt(file, 0, HEADER_BYTES);
    const layout = await readLayout(file, head);
    const { words, endMarkOffset, namesOffset, nameBytes } = layout;
    // Word ids are packed in as few bits as possible; one more bit would change the whole file.
    if (bitWidth(words + added.length) !== bitWidth(words))
      throw new UnsupportedLanguageModelError('No room for more words.');
    const bigramsEnd = (await readAt(file, endMarkOffset, UNIGRAM_BYTES)).readUInt32LE(8);
    const names = Buffer.from(added.map(({ word }) => `${word}\0`).join(''), 'latin1');
    head.writeUInt32LE(words + added.length, COUNTS_OFFSET);
    const out = await open(target, 'wx');
    try {
      await out.writeFile(head);
      await copy(file, HEADER_BYTES, endMarkOffset, out);
      await out.writeFile(encodeUnigrams(added, bigramsEnd));
      await copy(file, endMarkOffset, namesOffset, out);
      await out.writeFile(encodeUint32(nameBytes + names.length));
      await copy(file, namesOffset + 4, namesOffset + 4 + nameBytes, out);
      await out.writeFile(names);
    } finally {
      await out.close();
    }
  } finally {
    await file.close();
  }
}

const probabilitiesByModel = new WeakMap<EnglishModelPaths, Promise<ReadonlyMap<string, number>>>();

/** Cached per process; failures are not. @throws UnsupportedLanguageModelError */
export function getUnigramProbabilities(model: EnglishModelPaths): Promise<ReadonlyMap<string, number>> {
  const probabilities = probabilitiesByModel.get(model) ?? readUnigramProbabilities(model.language);
  probabilitiesByModel.set(model, probabilities);
  probabilities.catch(() => probabilitiesByModel.delete(model));
  return probabilities;
}

/** Values are 0 to 1. @throws UnsupportedLanguageModelError */
export async function readUnigramProbabilities(source: string): Promise<Map<string, number>> {
  const file = await open(source);
  try {
    const head = await readAt(file, 0, HEADER_BYTES);
    const { words, endMarkOffset, namesOffset, nameBytes } = await readLayout(file, head);
    const names = (await readAt(file, namesOffset + 4, nameBytes)).toString('latin1').split('\0');
    const table = await readAt(file, endMarkOffset - words * UNIGRAM_BYTES, words * UNIGRAM_BYTES);
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
  const [words = 0, bigrams = 0, trigrams = 0] = [0, 1, 2].map((at) =>
    head.readUInt32LE(COUNTS_OFFSET + 4 * at),
  );
  const endMarkOffset = HEADER_BYTES + TABLES_BYTES + words * UNIGRAM_BYTES;
  const bigramBytes = packedBytes(bigrams, bitWidth(words) + 32 + bitWidth(trigrams));
  const namesOffset =
    endMarkOffset + UNIGRAM_BYTES + bigramBytes + packedBytes(trigrams, bitWidth(words) + 16);
  const nameBytes = (await readAt(file, namesOffset, 4)).readUInt32LE(0);
  const { size } = await file.stat();
  if (size !== namesOffset + 4 + nameBytes)
    throw new UnsupportedLanguageModelError('The model does not have the expected size.');
  return { words, endMarkOffset, namesOffset, nameBytes };
}

/** Size of a bit-packed table: one entry more than given, and eight bytes of read-ahead. */
function packedBytes(entries: number, bits: number): number {
  return Math.floor(((1 + entries) * bits + 7) / 8) + 8;
}

function bitWidth(value: number): number {
  return 32 - Math.clz32(value);
}

function encodeUnigrams(added: readonly AddedWord[], bigramsEnd: number): Buffer {
  const rows = Buffer.alloc(added.length * UNIGRAM_BYTES);
  added.forEach(({ probability }, index) => {
    rows.writeFloatLE(Math.log(probability) / LOG_BASE, index * UNIGRAM_BYTES);
    rows.writeUInt32LE(bigramsEnd, index * UNIGRAM_BYTES + 8);
  });
  return rows;
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, position);
  if (bytesRead !== length) throw new UnsupportedLanguageModelError('The model is truncated.');
  return bytes;
}

async function copy(file: FileHandle, from: number, to: number, out: FileHandle): Promise<void> {
  const buffer = Buffer.allocUnsafe(Math.min(COPY_BUFFER_BYTES, to - from));
  for (let at = from; at < to;) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, to - at), at);
    if (bytesRead === 0) throw new UnsupportedLanguageModelError('The model is truncated.');
    await out.writeFile(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
}

function encodeUint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
