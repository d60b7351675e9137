import { hasTag } from './english-questions.js';
import {
  AUXILIARIES,
  DETERMINERS,
  LEANS_FORWARD,
  OPENERS,
  OPENING_PHRASES,
  PREPOSITIONS,
  SUBJECTS,
} from './english-words.js';

/** Seconds of silence that speak for a comma: by themselves, and where the words already call for one. */
const PAUSE = 0.25;
const BREATH = 0.1;
const NOT_ALL_BUT = new Set(['nothing', 'anything', 'everything', 'all', 'none', 'anyone', 'cannot', 'help']);
const SUBORDINATORS = new Set(['although', 'though', 'whereas', 'which']);
const COORDINATORS = new Set(['and', 'or', 'so']);
const HOLDS_ON = new Set(['of', 'to', 'than', 'that', 'is', 'are', 'was', 'were', 'be', 'been', 'and', 'or']);

/**
 * Where English sets commas in one unpunctuated sentence.
 * @param words lower case
 * @param pauses seconds of silence before each word
 * @returns indices of the words that a comma follows
 */
export function commasAfter(words: readonly string[], pauses: readonly number[]): Set<number> {
  const commas = new Set<number>();
  let last = 0;
  for (let index = 1; index < words.length; index += 1) {
    const place = {
      words,
      index,
      pause: pauses[index] ?? 0,
      since: index - last,
      left: words.length - index,
    };
    if (LEANS_FORWARD.has(words[index - 1] ?? '') || !wantsComma(place)) continue;
    commas.add(index - 1);
    last = index;
  }
  return commas;
}

interface Place {
  words: readonly string[];
  /** The comma would stand before this word. */
  index: number;
  pause: number;
  /** Words since the comma before. */
  since: number;
  /** Words to the end of the sentence. */
  left: number;
}

function wantsComma(place: Place): boolean {
  return isAfterOpener(place) || isBeforeClause(place) || isAtPause(place) || isBeforeTag(place);
}

function isAfterOpener({ words, index, pause }: Place): boolean {
  if (index === 1 && OPENERS.has(words[0] ?? '')) return pause >= BREATH || SUBJECTS.has(words[1] ?? '');
  return (
    pause >= BREATH && OPENING_PHRASES.some((phrase) => phrase.length === index && startsWith(words, phrase))
  );
}

function startsWith(words: readonly string[], phrase: readonly string[]): boolean {
  return phrase.every((word, at) => word === words[at]);
}

function isBeforeClause({ words, index, pause, since, left }: Place): boolean {
  const word = words[index] ?? '';
  const before = words[index - 1] ?? '';
  const subjectFollows = SUBJECTS.has(words[index + 1] ?? '') || DETERMINERS.has(words[index + 1] ?? '');
  if (since < 3 || left < 3) return false;
  if (word === 'but') return !NOT_ALL_BUT.has(before) && (subjectFollows || pause >= BREATH);
  if (COORDINATORS.has(word)) return since > 3 && subjectFollows && pause >= BREATH;
  return SUBORDINATORS.has(word) && !PREPOSITIONS.has(before) && pause >= BREATH;
}

function isAtPause({ words, index, pause, since, left }: Place): boolean {
  const before = words[index - 1] ?? '';
  if (pause < PAUSE || since < 2 || left < 2 || HOLDS_ON.has(words[index] ?? '')) return false;
  return ![PREPOSITIONS, AUXILIARIES, DETERMINERS, SUBJECTS].some((list) => list.has(before));
}

function isBeforeTag({ words, left }: Place): boolean {
  return left === 2 && hasTag(words);
}
