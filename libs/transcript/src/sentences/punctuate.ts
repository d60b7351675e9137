import { capitalise } from './casing.js';
import { commasAfter } from './english-commas.js';
import { isQuestion } from './english-questions.js';
import { englishSpelling, LEANS_FORWARD } from './english-words.js';

/** A run of words that is one sentence. */
export interface Sentence {
  words: readonly string[];
  /** Seconds of silence before each word. */
  pauses: readonly number[];
  /** BCP 47, null when unknown. */
  language: string | null;
}

const FULL_STOPS: ReadonlyMap<string, string> = new Map([
  ['zh', '。'],
  ['yue', '。'],
  ['ja', '。'],
  ['hi', '।'],
  ['ur', '۔'],
  ['th', ''],
  ['lo', ''],
]);
const MARKED = /[.,;:!?…。，、！？；：।۔؟]["'”’»)\]]*$/u;

/**
 * The words of one sentence with capitals and marks, one for one. English gets commas and question marks too;
 * every other language the capital and the full stop that its script has.
 */
export function punctuate({ words, pauses, language }: Sentence): string[] {
  const tongue = language?.toLowerCase().split(/[-_]/)[0] ?? null;
  const marked = tongue === 'en' ? inEnglish(words, pauses) : [...words];
  const [first, last] = [marked[0], marked.at(-1)];
  if (first === undefined || last === undefined) return [];
  const ending = tongue === 'en' ? englishEnding(words) : (FULL_STOPS.get(tongue ?? '') ?? '.');
  if (!MARKED.test(last)) marked[marked.length - 1] = last + ending;
  marked[0] = capitalise(marked[0] ?? first);
  return marked;
}

function inEnglish(words: readonly string[], pauses: readonly number[]): string[] {
  const plain = words.map(bare);
  const commas = commasAfter(plain, pauses);
  return words.map((word, index) => {
    const spelled = englishSpelling(word.replaceAll('’', "'"), plain[index - 1], plain[index + 1]) ?? word;
    return commas.has(index) && !MARKED.test(spelled) ? `${spelled},` : spelled;
  });
}

/** A sentence that stops on a word nobody stops on was broken off. */
function englishEnding(words: readonly string[]): string {
  const plain = words.map(bare);
  if (plain.length > 1 && LEANS_FORWARD.has(plain.at(-1) ?? '')) return '…';
  return isQuestion(plain) ? '?' : '.';
}

function bare(word: string): string {
  return word.toLowerCase().replaceAll('’', "'");
}
