export const BLANK_TABLES_BYTES = 3 * 65_536 * 4;
/** Where the pairs of words that have none begin. */
export const BIGRAMS_END_INDEX = 9;

/** The file of a language model of single words with these likelihoods, with room for the pairs and triples of none. */
export function buildBinaryLanguageModel(words: Record<string, number>): Buffer {
  const names = Object.keys(words);
  const head = Buffer.concat([Buffer.from('Trie Language Model'), Buffer.of(3), numbers(names.length, 0, 0)]);
  const rows = Object.values(words).map((likelihood) => row(likelihood, BIGRAMS_END_INDEX));
  // One entry each that ends the pairs and the triples, and eight bytes more: 3 + 32 + 0 bits, 3 + 16 bits.
  const packed = Buffer.from(Array.from({ length: 5 + 8 + 3 + 8 }, (_, index) => index));
  const text = Buffer.from(names.map((name) => `${name}\0`).join(''));
  const tables = [numbers(1), Buffer.alloc(BLANK_TABLES_BYTES)];
  return Buffer.concat([
    head,
    ...tables,
    ...rows,
    row(1, BIGRAMS_END_INDEX),
    packed,
    numbers(text.length),
    text,
  ]);
}

function row(likelihood: number, next: number): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeFloatLE(Math.log(likelihood) / Math.log(1.0001), 0);
  bytes.writeUInt32LE(next, 8);
  return bytes;
}

function numbers(...values: number[]): Buffer {
  return Buffer.concat(
    values.map((value) => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32LE(value);
      return bytes;
    }),
  );
}
