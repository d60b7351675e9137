import type { eld as Detector } from 'eld/small';
import { toLanguageTag } from '../engine/language-tag.js';

/** Shorter texts, such as names, look like several languages. */
const MIN_LETTERS = 12;
const MIN_WORDS = 3;
const LONG_TEXT_LETTERS = 30;
/** Maximum score of the second language as a share of the first: languages that are alike share most of their n-grams. */
const MAX_RIVAL_SHARE = { short: 0.95, long: 0.99 };

let detector: typeof Detector | null = null;

/** Call it before `detectTextLanguage`. Loads 1.6 MB of n-grams, which only programs that transcribe need. */
export async function loadTextLanguageDetector(): Promise<void> {
  detector ??= (await import('eld/small')).eld;
}

/**
 * @param languages BCP 47 tags of which one is returned, as it is written there, or `any`
 * @returns null if the text is too short or looks like several of the languages
 */
export function detectTextLanguage(text: string, languages: readonly string[] | 'any'): string | null {
  if (!detector) throw new Error('The language detector is not loaded.');
  if (!hasEnoughText(text)) return null;
  const scores = Object.entries(detector.detect(text).getScores())
    .flatMap(([code, score]): [string, number][] => {
      const language = findLanguage(code, languages);
      return language === null ? [] : [[language, score]];
    })
    .toSorted(([, a], [, b]) => b - a);
  const [first, second] = scores;
  const share = countLetters(text) < LONG_TEXT_LETTERS ? MAX_RIVAL_SHARE.short : MAX_RIVAL_SHARE.long;
  return first && first[1] > 0 && (second?.[1] ?? 0) <= share * first[1] ? first[0] : null;
}

/** Scripts without blanks say more with fewer letters. */
function hasEnoughText(text: string): boolean {
  const letters = countLetters(text);
  const ideographs = text.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/gu)?.length ?? 0;
  const words = text.match(/\p{L}+/gu)?.length ?? 0;
  return (letters >= MIN_LETTERS && words >= MIN_WORDS) || ideographs >= MIN_LETTERS / 2;
}

function countLetters(text: string): number {
  return text.match(/\p{L}/gu)?.length ?? 0;
}

function findLanguage(code: string, languages: readonly string[] | 'any'): string | null {
  if (languages === 'any') return toLanguageTag(code);
  return languages.find((tag) => tag.toLowerCase().split('-')[0] === code) ?? null;
}
