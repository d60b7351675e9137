import { splitIntoWords } from '../estimate-word-times.js';
import { symbolsToBytes } from './byte-symbols.js';
import type { RecognitionResult } from '../../sherpa/host/host-requests.js';

/** A word of a stretch, made of pieces. Times in seconds from the start of the stretch, null where they are not known. */
export interface TokenWord {
  text: string;
  start: number | null;
  end: number | null;
  confidence: number | null;
}

/**
 * The words that the pieces make.
 *
 * A word begins with its first piece. It ends where the model says that its last piece does, else where the next piece
 * begins; for the last word of all that is not known. Its confidence is the mean probability of its pieces
 * (geometric), so that long words are not less certain than short ones; null when one piece has none.
 */
export function groupTokensIntoWords(pieces: readonly DecodedToken[]): TokenWord[] {
  const { text, firstTokens: first, lastTokens: last } = joinTokenText(pieces);
  let reached = 0;
  return splitIntoWords(text).flatMap((word) => {
    const from = text.indexOf(word, reached);
    reached = from + word.length;
    const written = word.replaceAll('\ufffd', '');
    const begin = first[from] ?? 0;
    const end = last[reached - 1] ?? begin;
    if (written === '') return [];
    return {
      text: written,
      start: pieces[begin]?.start ?? null,
      end: pieces[end]?.end ?? pieces[end + 1]?.start ?? null,
      confidence: meanProbability(pieces.slice(begin, end + 1)),
    };
  });
}

function meanProbability(pieces: readonly DecodedToken[]): number | null {
  let sum = 0;
  for (const { logProbability } of pieces) {
    if (logProbability === null) return null;
    sum += logProbability;
  }
  return Math.min(1, Math.exp(sum / pieces.length));
}

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

/** The text that pieces make, and for each of its UTF-16 units the pieces that it began and ended in. */
export interface TokenText {
  text: string;
  firstTokens: number[];
  lastTokens: number[];
}

/** Pieces may be parts of a character: it belongs to all of them. Bytes that make no character become U+FFFD. */
export function joinTokenText(pieces: readonly Pick<DecodedToken, 'bytes'>[]): TokenText {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const owned: TokenText = { text: '', firstTokens: [], lastTokens: [] };
  let begun: number | null = null;
  pieces.forEach(({ bytes }, index) => {
    const isLast = index === pieces.length - 1;
    const decoded = decoder.decode(bytes, { stream: !isLast });
    owned.text += decoded;
    for (let at = 0; at < decoded.length; at += 1) {
      owned.firstTokens.push(at === 0 ? (begun ?? index) : index);
      owned.lastTokens.push(index);
    }
    if (decoded !== '') begun = endsInsideCharacter(bytes) ? index : null;
    else if (bytes.length > 0) begun ??= index;
  });
  return owned;
}

/** Whether the bytes end in the middle of a character. */
function endsInsideCharacter(bytes: Buffer): boolean {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return false;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2);
  }
  return false;
}
