import { open } from 'node:fs/promises';
import type { FfmpegLogParser } from './ffmpeg-log-parser.js';

/** Tolerated difference, because encoders round durations and some count their delay. */
const TOLERANCE_SECONDS = 1;
const TOLERANCE_SHARE = 0.02;

/**
 * Seconds that a file declares if clearly fewer were decoded, else null.
 * @param log of the finished decoder
 * @param decoded seconds
 */
export async function findDeclaredSecondsIfTruncated(
  path: string,
  log: FfmpegLogParser,
  decoded: number,
): Promise<number | null> {
  // For a truncated WAV file ffmpeg prints the duration of the existing data.
  const declared = log.declaredSeconds ?? (await readDeclaredWavSeconds(path));
  return declared !== null && isDeclaredDurationClearlyLonger(declared, decoded) ? declared : null;
}

export function isDeclaredDurationClearlyLonger(declared: number, decoded: number): boolean {
  return declared - decoded > Math.max(TOLERANCE_SECONDS, TOLERANCE_SHARE * declared);
}

const MAX_HEADER_BYTES = 65_536;

/** PCM, floating point, A-law, mu-law and WAVE_FORMAT_EXTENSIBLE. */
const CONSTANT_RATE_FORMATS: readonly number[] = [1, 3, 6, 7, 0xfffe];

/** Bytes. Programs that write to a pipe declare at least this size, because they do not know the real one. */
const MIN_PLACEHOLDER_SIZE = 0x7f000000;

/** Null for other files and for unknown durations. */
export async function readDeclaredWavSeconds(path: string): Promise<number | null> {
  const file = await open(path);
  try {
    const header = Buffer.alloc(MAX_HEADER_BYTES);
    const { bytesRead } = await file.read(header, 0, MAX_HEADER_BYTES, 0);
    return parseDeclaredWavSeconds(header.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

export function parseDeclaredWavSeconds(header: Buffer): number | null {
  if (header.toString('latin1', 0, 4) !== 'RIFF' || header.toString('latin1', 8, 12) !== 'WAVE') return null;
  let bytesPerSecond = 0;
  for (let at = 12; at + 8 <= header.length;) {
    const name = header.toString('latin1', at, at + 4);
    const size = header.readUInt32LE(at + 4);
    if (name === 'data')
      return bytesPerSecond > 0 && size < MIN_PLACEHOLDER_SIZE ? size / bytesPerSecond : null;
    if (
      name === 'fmt ' &&
      at + 24 <= header.length &&
      CONSTANT_RATE_FORMATS.includes(header.readUInt16LE(at + 8))
    )
      bytesPerSecond = header.readUInt32LE(at + 12) * header.readUInt16LE(at + 20);
    at += 8 + size + (size % 2);
  }
  return null;
}
