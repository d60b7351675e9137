import { encodeWav } from '@app/speech';
import { randomBytes, type Seed } from './seeds.js';
import type { SeededRandom } from '../../../scripts/material/seeded-random.mjs';

/** A file with a false claim. */
export interface MisleadingFile {
  claim: string;
  bytes: Buffer;
}

const TOO_MUCH = 0xffffffff;
/** Offsets within the header of a WAV. */
const WAV = { riffBytes: 4, channels: 22, rate: 24, bytesPerSecond: 28, dataBytes: 40 };
/** Offsets behind the name of a box of MP4, of version 0. */
const DURATION_IN = { mvhd: 20, tkhd: 24, mdhd: 20 };
/** Within FLAC's first block, behind `fLaC` and the block's header: rate, channels, depth and number of samples. */
const FLAC_CLAIMS = 18;

/** Absurd rates, lengths, counts and contents. The seeds are valid files. */
export function buildMisleadingFiles(seeds: readonly Seed[], chance: SeededRandom): MisleadingFile[] {
  const seed = (format: string): Buffer => {
    const found = seeds.find((each) => each.format === format);
    if (!found) throw new Error(`there is no seed of the format ${format}`);
    return Buffer.from(found.bytes);
  };
  return [...wavLies(), ...mp4Lies(seed), ...otherLies(seed, chance)];
}

function wavLies(): MisleadingFile[] {
  const wav = (claim: string, lie: (header: Buffer) => void): MisleadingFile => {
    const bytes = encodeWav(Int16Array.from({ length: 50_000 }, (_, at) => at % 4096));
    lie(bytes);
    return { claim, bytes };
  };
  return [
    wav('WAV of 1 Hz', (header) => {
      header.writeUInt32LE(1, WAV.rate);
      header.writeUInt32LE(2, WAV.bytesPerSecond);
    }),
    wav('WAV of 4 GHz', (header) => header.writeUInt32LE(TOO_MUCH, WAV.rate)),
    wav('WAV of 4 GB', (header) => {
      header.writeUInt32LE(TOO_MUCH, WAV.riffBytes);
      header.writeUInt32LE(TOO_MUCH, WAV.dataBytes);
    }),
    wav('WAV of 65,535 channels', (header) => header.writeUInt16LE(0xffff, WAV.channels)),
    wav('WAV without channels', (header) => header.writeUInt16LE(0, WAV.channels)),
  ];
}

function mp4Lies(seed: (format: string) => Buffer): MisleadingFile[] {
  const boxAt = (bytes: Buffer, name: string): number => bytes.indexOf(name, 0, 'latin1') + 4;
  const long = seed('mp4');
  for (const [name, offset] of Object.entries(DURATION_IN))
    long.writeUInt32BE(TOO_MUCH, boxAt(long, name) + offset - 4);
  const slow = seed('m4a');
  slow.writeUInt32BE(0x7fffffff, boxAt(slow, 'stts') + 12);
  const counted = (name: string, offset: number): MisleadingFile => {
    const bytes = seed('mov');
    bytes.writeUInt32BE(TOO_MUCH, boxAt(bytes, name) + offset);
    return { claim: `MOV with 4,294,967,295 entries in ${name}`, bytes };
  };
  return [
    { claim: 'MP4 of years', bytes: long },
    { claim: 'M4A whose every sample lasts for hours', bytes: slow },
    counted('stsz', 8),
    counted('stsc', 4),
    counted('stco', 4),
  ];
}

function otherLies(seed: (format: string) => Buffer, chance: SeededRandom): MisleadingFile[] {
  const flac = seed('flac');
  flac.writeUInt32BE(TOO_MUCH, FLAC_CLAIMS + 4);
  const ogg = seed('ogg');
  for (let page = ogg.indexOf('OggS', 1); page > 0; page = ogg.indexOf('OggS', page + 1))
    ogg.writeBigUInt64LE(0x7fffffffffffffffn, page + 6);
  return [
    { claim: 'FLAC of 4,294,967,295 samples', bytes: flac },
    { claim: 'Ogg at the end of time', bytes: ogg },
    { claim: 'MP3 that is an MP4 from its middle on', bytes: Buffer.concat([seed('mp3'), seed('mp4')]) },
    { claim: 'nothing at all', bytes: Buffer.alloc(0) },
    { claim: 'zeros', bytes: Buffer.alloc(100_000) },
    { claim: 'noise', bytes: randomBytes(100_000, chance) },
  ];
}
