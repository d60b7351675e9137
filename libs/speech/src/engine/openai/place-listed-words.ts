import type { RecognizedWordWithoutLanguage, TimeSpan } from '../engine.js';
import { estimateWordTimesByLength } from '../estimate-word-times.js';
import { containsUnspacedScript } from '../split-into-words.js';
import { dropOutlyingTimes, limitToChunk } from './drop-outlying-times.js';
import type { ResponseWord } from './transcription-response.js';

/** Limit for words of which only the start is known: slow speech. */
const MAX_SECONDS_PER_LETTER = 0.15;
/** A digit is a word, and so are many characters of scripts without spaces. */
const MAX_SECONDS_PER_DIGIT_OR_UNSPACED_CHARACTER = 0.4;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

interface WordsWithoutLength {
  words: { text: string; confidence: number | null }[];
  /** Start of the first of them, or the end of the word before; seconds. */
  start: number;
  maxSeconds: number;
  /** Whether their times are rounded measurements, not estimates. */
  haveStart: boolean;
  /** Whether `start` is only the end of the word before. */
  followWord: boolean;
}

/**
 * Gives each listed word a start and an end, in the order of the list. Words without times, or with a time out of order, share the
 * gap between their neighbours,
 * and words whose time is a moment (times rounded to seconds, an end of 0) what follows it.
 *
 * @param duration of the chunk, seconds @param speech detected in the chunk; may be empty
 */
export function placeListedWords(
  listed: readonly ResponseWord[],
  duration: number,
  speech: readonly TimeSpan[],
): RecognizedWordWithoutLanguage[] {
  const timed: RecognizedWordWithoutLanguage[] = [];
  let open: WordsWithoutLength = { words: [], start: 0, maxSeconds: 0, haveStart: true, followWord: false };
  const closeAt = (moment: number): void => {
    const { words, maxSeconds, haveStart, followWord } = open;
    const until = limitToChunk(moment, open.start, duration);
    // A word that ends after the start of the next timed one moves none of those between them.
    const start = followWord ? Math.min(open.start, until) : open.start;
    const end = Math.min(Math.max(until, start), start + maxSeconds);
    const placed = estimateWordTimesByLength(words, { start, end }, speech);
    timed.push(
      ...placed.map(({ estimatedWithin, ...word }) => (haveStart ? word : { ...word, estimatedWithin })),
    );
    open = { words: [], start: until, maxSeconds: 0, haveStart: true, followWord: false };
  };
  for (const { word, start, end, probability } of dropOutlyingTimes(listed, duration)) {
    const recognized = { text: word.trim(), confidence: probability ?? null };
    if (typeof start !== 'number') {
      if (open.words.length === 0) open.followWord = true;
      open.words.push(recognized);
      open.maxSeconds = Infinity;
      open.haveStart = false;
      continue;
    }
    const hasLength = typeof end === 'number' && end > start;
    if (hasLength && open.words.length > 0 && open.haveStart && start <= open.start) {
      // Times that are rounded to seconds: the words before it have the same start.
      open.words.push(recognized);
      open.maxSeconds = Infinity;
      closeAt(end);
      continue;
    }
    if (hasLength || open.words.length === 0 || start > open.start) closeAt(start);
    const isLonePunctuation = open.words.length === 0 && !LETTER_OR_DIGIT.test(recognized.text);
    if (hasLength || isLonePunctuation) {
      const until = hasLength ? end : start;
      timed.push({ ...recognized, start, end: until });
      open.start = limitToChunk(until, start, duration);
    } else {
      open.words.push(recognized);
      open.maxSeconds += computeMaxSeconds(recognized.text);
    }
  }
  closeAt(duration);
  return timed;
}

function computeMaxSeconds(text: string): number {
  const isLong = /\p{N}/u.test(text) || containsUnspacedScript(text);
  return text.length * (isLong ? MAX_SECONDS_PER_DIGIT_OR_UNSPACED_CHARACTER : MAX_SECONDS_PER_LETTER);
}
