import type { SeededRandom } from '../../../scripts/material/seeded-random.mjs';
import { randomBytes, type Seed } from './seeds.js';

export interface DamagedFile {
  format: string;
  damage: string;
  bytes: Buffer;
}

/** Headers and tables are usually within these first bytes. */
const HEAD_BYTES = 512;
/** Lengths, counts or rates that programs often do not expect. */
const EXTREMES = [0, 1, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff];

type Damage = (bytes: Buffer, random: SeededRandom, others: readonly Seed[]) => Buffer;

const DAMAGES: Record<string, Damage> = {
  'bits anywhere': (bytes, random) => flipBits(bytes, bytes.length, random.between(1, 64), random),
  'bits of the header': (bytes, random) => flipBits(bytes, HEAD_BYTES, random.between(1, 16), random),
  'cut short': (bytes, random) => bytes.subarray(0, randomIndex(bytes.length, random)),
  'length field, big-endian': (bytes, random) =>
    overwriteInteger(bytes, random, (copy, from, value) => copy.writeUInt32BE(value, from)),
  'length field, little-endian': (bytes, random) =>
    overwriteInteger(bytes, random, (copy, from, value) => copy.writeUInt32LE(value, from)),
  'missing block': (bytes, random) => {
    const from = randomIndex(bytes.length, random);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + randomIndex(400, random))]);
  },
  'noise in the middle': (bytes, random) => {
    const from = randomIndex(bytes.length, random);
    return Buffer.concat([
      bytes.subarray(0, from),
      randomBytes(randomIndex(2_000, random), random),
      bytes.subarray(from),
    ]);
  },
  'continued with another file': (bytes, random, others) => {
    const other = random.pick(others).bytes;
    return Buffer.concat([
      bytes.subarray(0, randomIndex(bytes.length, random)),
      other.subarray(randomIndex(other.length, random)),
    ]);
  },
};
const DAMAGE_NAMES = Object.keys(DAMAGES);

/** Generates damaged files: formats in rotation, kinds of damage at random. The same seed produces the same files. */
export function* generateDamagedFiles(
  seeds: readonly Seed[],
  count: number,
  random: SeededRandom,
): Generator<DamagedFile> {
  for (let index = 0; index < count; index += 1) {
    const seed = seeds[index % seeds.length];
    const name = random.pick(DAMAGE_NAMES);
    const damage = DAMAGES[name];
    if (seed && damage) yield { format: seed.format, damage: name, bytes: damage(seed.bytes, random, seeds) };
  }
}

function randomIndex(below: number, random: SeededRandom): number {
  return Math.floor(random.between(0, below));
}

function flipBits(bytes: Buffer, within: number, times: number, random: SeededRandom): Buffer {
  const copy = Buffer.from(bytes);
  for (let time = 0; time < times; time += 1) {
    const index = randomIndex(Math.min(within, copy.length), random);
    copy[index] = (copy[index] ?? 0) ^ (1 << randomIndex(8, random));
  }
  return copy;
}

function overwriteInteger(
  bytes: Buffer,
  random: SeededRandom,
  write: (copy: Buffer, from: number, value: number) => void,
): Buffer {
  const copy = Buffer.from(bytes);
  write(copy, randomIndex(Math.min(HEAD_BYTES, copy.length) - 4, random), random.pick(EXTREMES));
  return copy;
}
