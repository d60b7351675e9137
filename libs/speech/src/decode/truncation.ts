import type { FfmpegLogParser } from './ffmpeg-log-parser.js';
import { readDeclaredWavSeconds } from './declared-wav-duration.js';

/** How much of a declared length may be missing: seconds, and a share. Encoders round, and some count their delay. */
const TOLERANCE_SECONDS = 1;
const TOLERANCE_SHARE = 0.02;

/**
 * Seconds that a file declares, where clearly fewer could be decoded; else null.
 * @param log of the decoder, which has ended
 * @param decoded seconds
 */
export async function detectTruncation(
  path: string,
  log: FfmpegLogParser,
  decoded: number,
): Promise<number | null> {
  // Of a WAV file that broke off, ffmpeg prints the length of what is there.
  const declared = log.declaredSeconds ?? (await readDeclaredWavSeconds(path));
  return declared !== null && isClearlyLonger(declared, decoded) ? declared : null;
}

export function isClearlyLonger(declared: number, decoded: number): boolean {
  return declared - decoded > Math.max(TOLERANCE_SECONDS, TOLERANCE_SHARE * declared);
}
