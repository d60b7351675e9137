import type { SeededRandom } from '../../../scripts/material/seeded-random.mjs';
import { randomBytes, type Seed } from './seeds.js';

/** A file that was damaged, and how. */
export interface DamagedFile {
  format: string;
  damage: string;
  bytes: Buffer;
}

/** The usual extent of headers and tables. */
const HEAD_BYTES = 512;
/** Values of a length, a count or a rate that programs often do not expect. */
const EXTREMES = [0, 1, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff];

type Damage = (bytes: Buffer, chance: SeededRandom, others: readonly Seed[]) => Buffer;

const DAMAGES: Record<string, Damage> = {
  'bits anywhere': (bytes, chance) => flipped(bytes, bytes.length, chance.between(1, 64), chance),
  'bits of the head': (bytes, chance) => flipped(bytes, HEAD_BYTES, chance.between(1, 16), chance),
  'cut short': (bytes, chance) => bytes.subarray(0, at(bytes.length, chance)),
  'length field, big-endian': (bytes, chance) =>
    written(bytes, chance, (copy, from, value) => copy.writeUInt32BE(value, from)),
  'length field, little-endian': (bytes, chance) =>
    written(bytes, chance, (copy, from, value) => copy.writeUInt32LE(value, from)),
  'a block left out': (bytes, chance) => {
    const from = at(bytes.length, chance);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + at(400, chance))]);
  },
  'noise in the middle': (bytes, chance) => {
    const from = at(bytes.length, chance);
    return Buffer.concat([
      bytes.subarray(0, from),
      randomBytes(at(2_000, chance), chance),
      bytes.subarray(from),
    ]);
  },
  'the rest of another file': (bytes, chance, others) => {
    const other = chance.pick(others).bytes;
    return Buffer.concat([
      bytes.subarray(0, at(bytes.length, chance)),
      other.subarray(at(other.length, chance)),
    ]);
  },
};
const HOWS = Object.keys(DAMAGES);

/** This many damaged files: formats and kinds of damage in rotation. The same seed produces the same files. */
export function* generateDamagedFiles(
  seeds: readonly Seed[],
  count: number,
  chance: SeededRandom,
): Generator<DamagedFile> {
  for (let index = 0; index < count; index += 1) {
    const seed = seeds[index % seeds.length];
    const how = chance.pick(HOWS);
    const damage = DAMAGES[how];
    if (seed && damage) yield { format: seed.format, damage: how, bytes: damage(seed.bytes, chance, seeds) };
  }
}

function at(below: number, chance: SeededRandom): number {
  return Math.floor(chance.between(0, below));
}

function flipped(bytes: Buffer, within: number, times: number, chance: SeededRandom): Buffer {
  const copy = Buffer.from(bytes);
  for (let time = 0; time < times; time += 1) {
    const place = at(Math.min(within, copy.length), chance);
    copy[place] = (copy[place] ?? 0) ^ (1 << at(8, chance));
  }
  return copy;
}

function written(
  bytes: Buffer,
  chance: SeededRandom,
  write: (copy: Buffer, from: number, value: number) => void,
): Buffer {
  const copy = Buffer.from(bytes);
  write(copy, at(Math.min(HEAD_BYTES, copy.length) - 4, chance), chance.pick(EXTREMES));
  return copy;
}
