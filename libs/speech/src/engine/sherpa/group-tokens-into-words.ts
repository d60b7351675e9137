import { markPhraseSpaces, type PhraseSpacing } from '../phrase-spaces.js';
import { splitIntoWords } from '../split-into-words.js';
import { decodeSymbolsToBytes } from './byte-symbols.js';
import type { RecognitionResult } from '../../sherpa/host/host-requests.js';

/** Times in seconds from the start of the audio; null where unknown. */
export interface TokenWord extends PhraseSpacing {
  text: string;
  start: number | null;
  end: number | null;
  confidence: number | null;
}

/**
 * Groups tokens into words. A word starts with its first token. It ends with its last token if the model reports
 * durations, else at the start of the next token; the end of the last word may be unknown. Its confidence is the
 * geometric mean of the token probabilities, independent of its length; null if a token has none.
 */
export function groupTokensIntoWords(tokens: readonly TokenBytesAndTimes[]): TokenWord[] {
  const { text, firstTokens, lastTokens } = joinTokenTextWithIndices(tokens);
  let reached = 0;
  const words = markPhraseSpaces(
    splitIntoWords(text).map((word) => ({ text: word })),
    text,
  );
  return words.flatMap(({ text: word, ...spacing }) => {
    const from = text.indexOf(word, reached);
    reached = from + word.length;
    const written = word.replaceAll('\ufffd', '');
    const begin = firstTokens[from] ?? 0;
    const end = lastTokens[reached - 1] ?? begin;
    if (written === '') return [];
    return {
      text: written,
      start: tokens[begin]?.start ?? null,
      end: tokens[end]?.end ?? tokens[end + 1]?.start ?? null,
      confidence: meanProbability(tokens.slice(begin, end + 1)),
      ...spacing,
    };
  });
}

function meanProbability(tokens: readonly TokenBytesAndTimes[]): number | null {
  let sum = 0;
  for (const { logProbability } of tokens) {
    if (logProbability === null) return null;
    sum += logProbability;
  }
  return Math.min(1, Math.exp(sum / tokens.length));
}

/** The UTF-8 bytes of a token; times in seconds from the start of the audio. */
export interface TokenBytesAndTimes {
  bytes: Buffer;
  /** Null if the model reports no times. */
  start: number | null;
  /** Null if the model reports no durations. */
  end: number | null;
  /** Natural logarithm; null if the model reports none. */
  logProbability: number | null;
}

const WORD_START_MARK = '▁';
const BYTE_TOKEN = /^<0x([0-9A-F]{2})>$/i;
/** No text: the library writes one if a Canary model finds no word in audio with signal. */
const CONTROL_TOKEN = /^<\|[^|]*\|>$/;

/** @param byteSymbols whether tokens are written in the symbols of `byte-symbols.ts` */
export function extractTokenBytesAndTimes(
  result: RecognitionResult,
  byteSymbols: boolean,
): TokenBytesAndTimes[] {
  return result.tokens.map((token, index) => {
    const start = result.timestamps[index] ?? null;
    const duration = result.durations[index];
    return {
      bytes: byteSymbols ? decodeSymbolsToBytes(token) : tokenBytes(token),
      start,
      end: start !== null && duration !== undefined ? start + duration : null,
      logProbability: result.ys_log_probs[index] ?? null,
    };
  });
}

/** Subword vocabularies mark the start of a word, and fall back to single bytes. */
function tokenBytes(token: string): Buffer {
  if (CONTROL_TOKEN.test(token)) return Buffer.alloc(0);
  const byte = BYTE_TOKEN.exec(token)?.[1];
  return byte === undefined ? Buffer.from(token.replaceAll(WORD_START_MARK, ' ')) : Buffer.from(byte, 'hex');
}

/** The indices of the tokens in which each UTF-16 code unit started and ended. */
interface TextWithTokenIndices {
  text: string;
  firstTokens: number[];
  lastTokens: number[];
}

/** Tokens may be parts of a UTF-8 character. Invalid bytes become U+FFFD. */
export function joinTokenTextWithIndices(
  tokens: readonly Pick<TokenBytesAndTimes, 'bytes'>[],
): TextWithTokenIndices {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const joined: TextWithTokenIndices = { text: '', firstTokens: [], lastTokens: [] };
  let firstIndex: number | null = null;
  tokens.forEach(({ bytes }, index) => {
    const isLast = index === tokens.length - 1;
    const decoded = decoder.decode(bytes, { stream: !isLast });
    joined.text += decoded;
    for (let at = 0; at < decoded.length; at += 1) {
      joined.firstTokens.push(at === 0 ? (firstIndex ?? index) : index);
      joined.lastTokens.push(index);
    }
    if (decoded !== '') firstIndex = endsInsideCharacter(bytes) ? index : null;
    else if (bytes.length > 0) firstIndex ??= index;
  });
  return joined;
}

function endsInsideCharacter(bytes: Buffer): boolean {
  for (let distance = 1; distance <= Math.min(3, bytes.length); distance += 1) {
    const byte = bytes[bytes.length - distance] ?? 0;
    if (byte < 0x80) return false;
    if (byte >= 0xc0) return distance < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2);
  }
  return false;
}
