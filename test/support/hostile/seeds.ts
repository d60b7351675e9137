import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { SeededRandom } from '../../../scripts/material/seeded-random.mjs';
import { makeMedia } from '../make-media.js';

/** A small valid file of one format. */
export interface Seed {
  /** The file extension, without a dot. */
  format: string;
  bytes: Buffer;
}

const SOUND_INPUT = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=0.4:sample_rate=16000'];
const VIDEO_INPUT = ['-f', 'lavfi', '-i', 'color=size=720x576:rate=25:duration=0.2'];
const PCM_48 = ['-ar', '48000', '-ac', '2', '-c:a', 'pcm_s16le'];

/** The accepted formats that ffmpeg can write: file extension and ffmpeg arguments. */
const FORMATS_WITH_DEFAULT_CODEC: [string, string[]][] = [
  ...['wav', 'w64', 'aiff', 'au', 'caf', 'voc', 'sox', 'mp3', 'flac', 'tta', 'wv', 'ac3', 'eac3'],
  ...['mov', 'mp4', 'm4a', 'mka', 'webm', 'avi', 'wma', 'nut'],
].map((format): [string, string[]] => [format, SOUND_INPUT]);
const FORMATS_WITH_ARGUMENTS: [string, string[]][] = [
  ['aac', [...SOUND_INPUT, '-f', 'adts']],
  ['ogg', [...SOUND_INPUT, '-c:a', 'libvorbis']],
  ['opus', [...SOUND_INPUT, '-c:a', 'libopus']],
  ['dts', [...SOUND_INPUT, '-c:a', 'dca', '-strict', '-2']],
  ['thd', [...SOUND_INPUT, '-c:a', 'truehd', '-ar', '48000', '-f', 'truehd', '-strict', '-2']],
  ['gsm', [...SOUND_INPUT, '-c:a', 'libgsm', '-ar', '8000']],
  ['3gp', [...SOUND_INPUT, '-c:a', 'aac']],
  ['3g2', [...SOUND_INPUT, '-c:a', 'aac']],
  ['flv', [...SOUND_INPUT, '-c:a', 'mp3', '-ar', '22050']],
  ['mpeg', [...SOUND_INPUT, '-c:a', 'mp2']],
  ['ts', [...SOUND_INPUT, '-c:a', 'mp2', '-f', 'mpegts']],
  ['rm', [...SOUND_INPUT, '-c:a', 'ac3', '-f', 'rm']],
  ['mxf', [...VIDEO_INPUT, ...SOUND_INPUT, '-c:v', 'mpeg2video', ...PCM_48, '-shortest']],
  ['dv', [...VIDEO_INPUT, ...SOUND_INPUT, '-target', 'pal-dv', '-shortest']],
];

/** The first bytes of formats that ffmpeg reads but cannot write; noise follows them. */
const MAGIC: Record<string, string> = {
  ape: 'MAC \x96\x0f\0\0\x34\0\0\0\x18\0\0\0',
  mpc: 'MP+\x07',
  mpc8: 'MPCKSH\x0f',
  dsf: 'DSD \x1c\0\0\0\0\0\0\0',
  shn: 'ajkg\x02',
  oma: 'EA3\x01\0\x60\xff\xff',
  amr: '#!AMR\n',
  awb: '#!AMR-WB\n',
  sph: 'NIST_1A\n   1024\nsample_count -i 4000\nsample_rate -i 16000\nchannel_count -i 1\nend_head\n',
};

/** One file of every accepted format; the noise in some is pseudo-random. */
export async function makeSeeds(folder: string, random: SeededRandom): Promise<Seed[]> {
  const seeds: Seed[] = [];
  const remaining = [...FORMATS_WITH_DEFAULT_CODEC, ...FORMATS_WITH_ARGUMENTS];
  const make = async (): Promise<void> => {
    for (let next = remaining.pop(); next; next = remaining.pop()) {
      const [format, args] = next;
      const path = await makeMedia(folder, `seed.${format}`, ...args);
      seeds.push({ format: extname(path).slice(1), bytes: await readFile(path) });
    }
  };
  await Promise.all([make(), make()]);
  for (const [format, magic] of Object.entries(MAGIC))
    seeds.push({ format, bytes: Buffer.concat([Buffer.from(magic, 'latin1'), randomBytes(2_000, random)]) });
  return seeds.toSorted((a, b) => (a.format < b.format ? -1 : 1));
}

export function randomBytes(size: number, random: SeededRandom): Buffer {
  return Buffer.from(Uint8Array.from({ length: size }, () => random.between(0, 256)));
}
