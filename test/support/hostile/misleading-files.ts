import { encodeWav } from '@app/speech';
import { randomBytes, type Seed } from './seeds.js';
import type { SeededRandom } from '../../../scripts/material/seeded-random.mjs';

/** A file whose header declares a wrong format, length, rate or count. */
export interface MisleadingFile {
  claim: string;
  bytes: Buffer;
}

const MAX_UINT32 = 0xffffffff;
/** Offsets within the header of a WAV. */
const WAV = { riffBytes: 4, channels: 22, rate: 24, bytesPerSecond: 28, dataBytes: 40 };
/** Offsets of the duration after the name of an MP4 box of version 0. */
const DURATION_IN = { mvhd: 20, tkhd: 24, mdhd: 20 };
/** In FLAC's first block, after `fLaC` and the block's header: rate, channels, depth and number of samples. */
const FLAC_STREAM_INFO = 18;

/** Changes valid files, the seeds, to declare absurd rates, lengths, counts and contents. */
export function buildMisleadingFiles(seeds: readonly Seed[], random: SeededRandom): MisleadingFile[] {
  const seed = (format: string): Buffer => {
    const found = seeds.find((each) => each.format === format);
    if (!found) throw new Error(`no seed has the format ${format}`);
    return Buffer.from(found.bytes);
  };
  return [...buildMisleadingWavs(), ...buildMisleadingMp4s(seed), ...buildOtherMisleadingFiles(seed, random)];
}

function buildMisleadingWavs(): MisleadingFile[] {
  const wav = (claim: string, changeHeader: (header: Buffer) => void): MisleadingFile => {
    const bytes = encodeWav(Int16Array.from({ length: 50_000 }, (_, at) => at % 4096));
    changeHeader(bytes);
    return { claim, bytes };
  };
  return [
    wav('WAV of 1 Hz', (header) => {
      header.writeUInt32LE(1, WAV.rate);
      header.writeUInt32LE(2, WAV.bytesPerSecond);
    }),
    wav('WAV of 4 GHz', (header) => header.writeUInt32LE(MAX_UINT32, WAV.rate)),
    wav('WAV of 4 GB', (header) => {
      header.writeUInt32LE(MAX_UINT32, WAV.riffBytes);
      header.writeUInt32LE(MAX_UINT32, WAV.dataBytes);
    }),
    wav('WAV of 65,535 channels', (header) => header.writeUInt16LE(0xffff, WAV.channels)),
    wav('WAV without channels', (header) => header.writeUInt16LE(0, WAV.channels)),
  ];
}

function buildMisleadingMp4s(seed: (format: string) => Buffer): MisleadingFile[] {
  const boxAt = (bytes: Buffer, name: string): number => bytes.indexOf(name, 0, 'latin1') + 4;
  const long = seed('mp4');
  for (const [name, offset] of Object.entries(DURATION_IN))
    long.writeUInt32BE(MAX_UINT32, boxAt(long, name) + offset - 4);
  const slow = seed('m4a');
  slow.writeUInt32BE(0x7fffffff, boxAt(slow, 'stts') + 12);
  const movWithHugeCount = (name: string, offset: number): MisleadingFile => {
    const bytes = seed('mov');
    bytes.writeUInt32BE(MAX_UINT32, boxAt(bytes, name) + offset);
    return { claim: `MOV with 4,294,967,295 entries in ${name}`, bytes };
  };
  return [
    { claim: 'MP4 that lasts for years', bytes: long },
    { claim: 'M4A whose samples each last for hours', bytes: slow },
    movWithHugeCount('stsz', 8),
    movWithHugeCount('stsc', 4),
    movWithHugeCount('stco', 4),
  ];
}

function buildOtherMisleadingFiles(seed: (format: string) => Buffer, random: SeededRandom): MisleadingFile[] {
  const flac = seed('flac');
  flac.writeUInt32BE(MAX_UINT32, FLAC_STREAM_INFO + 4);
  const ogg = seed('ogg');
  for (let page = ogg.indexOf('OggS', 1); page > 0; page = ogg.indexOf('OggS', page + 1))
    ogg.writeBigUInt64LE(0x7fffffffffffffffn, page + 6);
  return [
    { claim: 'FLAC of 4,294,967,295 samples', bytes: flac },
    { claim: 'Ogg with the maximum time stamp', bytes: ogg },
    { claim: 'MP3 that continues as an MP4', bytes: Buffer.concat([seed('mp3'), seed('mp4')]) },
    { claim: 'empty file', bytes: Buffer.alloc(0) },
    { claim: 'zeros', bytes: Buffer.alloc(100_000) },
    { claim: 'noise', bytes: randomBytes(100_000, random) },
  ];
}
