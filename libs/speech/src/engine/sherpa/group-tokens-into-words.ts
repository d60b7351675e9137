import { splitIntoWords } from '../estimate-word-times.js';
import { joinTokenText } from './join-token-text.js';
import type { DecodedToken } from './decode-tokens.js';

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
