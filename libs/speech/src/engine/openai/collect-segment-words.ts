import { containsUnspacedScript, removeSpaces, splitIntoWords } from '../split-into-words.js';
import type { ResponseSegment, ResponseWord } from './transcription-response.js';

/** whisper.cpp lists these besides the text. */
const SPECIAL_TOKEN = /^\s*(\[_.*\]|<\|.*\|>)\s*$/;

/**
 * The words that servers list in their segments. whisper.cpp lists tokens, which may be parts of words, and its segments may
 * end within a word: a token without a leading space then continues the word before it.
 */
export function collectSegmentWords(segments: readonly ResponseSegment[]): ResponseWord[] {
  if (!segments.some(({ words }) => words?.length)) return [];
  const listed = segments.map(({ words, text }) => ({
    text,
    tokens: (words ?? []).filter(({ word }) => word !== '' && !SPECIAL_TOKEN.test(word)),
  }));
  // Decided by the tokens of the server alone: the words of a text, which replace some, have spaces.
  const marksWordStarts = listed
    .flatMap(({ tokens }) => tokens)
    .slice(1)
    .some(({ word }) => /^\s/.test(word));
  const tokens = listed.flatMap((segment) => chooseTokens(segment.tokens, segment.text));
  return marksWordStarts ? joinTokens(tokens) : tokens;
}

/**
 * Tokens that do not match the text (JSON damages parts of a character) are replaced by its words, which have no times. A segment
 * without text has its tokens alone.
 */
function chooseTokens(tokens: readonly ResponseWord[], text: string): readonly ResponseWord[] {
  if (text.trim() === '') return tokens;
  if (removeSpaces(tokens.map(({ word }) => word).join('')) === removeSpaces(text)) return tokens;
  const continuesWord = /^\S/.test(text);
  return splitIntoWords(text).map((word, index) => ({
    word: index === 0 && continuesWord ? word : ` ${word}`,
    start: null,
    end: null,
    probability: null,
  }));
}

function joinTokens(tokens: readonly ResponseWord[]): ResponseWord[] {
  const joined: { word: string; tokens: ResponseWord[] }[] = [];
  for (const token of tokens) {
    const last = joined.at(-1);
    if (last && continues(last.word, token.word)) {
      last.word += token.word;
      last.tokens.push(token);
    } else joined.push({ word: token.word, tokens: [token] });
  }
  return joined.map(({ word, tokens: parts }) => ({
    word,
    start: parts[0]?.start,
    end: parts.at(-1)?.end,
    probability: meanProbability(parts),
  }));
}

function continues(word: string, token: string): boolean {
  return !/^\s/.test(token) && !containsUnspacedScript(word) && !containsUnspacedScript(token);
}

/** Geometric mean, which does not depend on the number of tokens; null if one is unknown. */
function meanProbability(tokens: readonly ResponseWord[]): number | null {
  let product = 1;
  for (const { probability } of tokens) {
    if (typeof probability !== 'number' || probability <= 0) return null;
    product *= probability;
  }
  return product ** (1 / tokens.length);
}
