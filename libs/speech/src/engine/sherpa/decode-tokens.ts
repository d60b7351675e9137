import type { RecognitionResult } from '../../sherpa/host/host-requests.js';
import { symbolsToBytes } from './byte-symbols.js';

/** A token of a model, as the bytes it stands for, and what the model tells of it; seconds from the start of the sound. */
export interface DecodedToken {
  bytes: Buffer;
  /** Null where the model gives no time. */
  start: number | null;
  /** Null where the model does not tell how long it lasts. */
  end: number | null;
  /** Natural logarithm; null where the model gives none. */
  logProbability: number | null;
}

const WORD_START_MARK = '▁';
const BYTE_TOKEN = /^<0x([0-9A-F]{2})>$/i;

/** @param byteSymbols the tokens are written in the symbols of `byte-symbols.ts` */
export function decodeTokens(heard: RecognitionResult, byteSymbols: boolean): DecodedToken[] {
  return heard.tokens.map((token, index) => {
    const start = heard.timestamps[index] ?? null;
    const duration = heard.durations[index];
    return {
      bytes: byteSymbols ? symbolsToBytes(token) : tokenBytes(token),
      start,
      end: start !== null && duration !== undefined ? start + duration : null,
      logProbability: heard.ys_log_probs[index] ?? null,
    };
  });
}

/** Vocabularies of pieces mark where a word begins, and fall back to single bytes for what they do not list. */
function tokenBytes(token: string): Buffer {
  const byte = BYTE_TOKEN.exec(token)?.[1];
  return byte === undefined ? Buffer.from(token.replaceAll(WORD_START_MARK, ' ')) : Buffer.from(byte, 'hex');
}
