import type { eld as Detector } from 'eld/small';
import { toLanguageTag } from '../engine/language-tag.js';
import { PHRASE_SPACED_SCRIPTS } from '../engine/split-into-words.js';

/** Shorter texts, such as names, look like several languages. */
const MIN_LETTERS = 12;
const MIN_WORDS = 3;
const LONG_TEXT_LETTERS = 30;
/** Maximum score of the second language as a share of the first: languages that are alike share most of their n-grams. */
const MAX_RIVAL_SHARE = { short: 0.95, long: 0.99 };
/** What an engine reports is contradicted with more text and a larger distance only. */
const MIN_CERTAIN_LETTERS = 24;
const MAX_CONTRADICTED_SHARE = 0.75;
const UNSPACED_LETTERS = new RegExp(
  String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}${PHRASE_SPACED_SCRIPTS}\p{Script=Tibetan}]`,
  'gu',
);

let detector: typeof Detector | null = null;

/** Call it before `detectTextLanguage`. Loads 1.6 MB of n-grams, which only programs that transcribe need. */
export async function ensureTextLanguageDetectorLoaded(): Promise<void> {
  detector ??= (await import('eld/small')).eld;
}

/**
 * @param languages BCP 47 tags of which one is returned, as it is written there, or `any`
 * @returns null if the text is too short or looks like several of the languages
 */
export function detectTextLanguage(text: string, languages: readonly string[] | 'any'): string | null {
  if (!hasEnoughText(text, MIN_LETTERS)) return null;
  const [first, second] = rankLanguages(text, languages);
  const share = countLetters(text) < LONG_TEXT_LETTERS ? MAX_RIVAL_SHARE.short : MAX_RIVAL_SHARE.long;
  return first && first.score > 0 && (second?.score ?? 0) <= share * first.score ? first.language : null;
}

/**
 * Whether a text that an engine reports in one language is certainly in the other one. False for languages that the library
 * does not know: it takes them for their neighbours.
 */
export function contradictsReportedLanguage(text: string, reported: string, other: string): boolean {
  const isKnown = Object.values(getDetector().info().Languages).includes(getPrimarySubtag(reported));
  if (!isKnown || !hasEnoughText(text, MIN_CERTAIN_LETTERS)) return false;
  const scores = rankLanguages(text, [reported, other]);
  const scoreOf = (tag: string) => scores.find(({ language }) => language === tag)?.score ?? 0;
  return scoreOf(reported) <= MAX_CONTRADICTED_SHARE * scoreOf(other);
}

interface LanguageScore {
  language: string;
  score: number;
}

/** The most likely one first. */
function rankLanguages(text: string, languages: readonly string[] | 'any'): LanguageScore[] {
  const scores = { ...getDetector().detect(text).getScores(), ...scoreByScript(text) };
  return Object.entries(scores)
    .flatMap(([code, score]): LanguageScore[] => {
      const language = findLanguage(code, languages);
      return language === null ? [] : [{ language, score }];
    })
    .toSorted((a, b) => b.score - a.score);
}

/** One language each, and not in the library. */
const LANGUAGES_BY_SCRIPT: Record<string, RegExp> = {
  bo: /\p{Script=Tibetan}/gu,
  km: /\p{Script=Khmer}/gu,
  my: /\p{Script=Myanmar}/gu,
  si: /\p{Script=Sinhala}/gu,
};

function scoreByScript(text: string): Record<string, number> {
  const characters = text.match(/[\p{L}\p{M}]/gu)?.length ?? 1;
  return Object.fromEntries(
    Object.entries(LANGUAGES_BY_SCRIPT).flatMap(([language, script]) => {
      const own = text.match(script)?.length ?? 0;
      return own === 0 ? [] : [[language, own / characters]];
    }),
  );
}

function getDetector(): typeof Detector {
  if (!detector) throw new Error('The language detector is not loaded.');
  return detector;
}

/** Scripts without blanks say more with fewer letters. */
function hasEnoughText(text: string, minLetters: number): boolean {
  const letters = countLetters(text);
  const unspaced = text.match(UNSPACED_LETTERS)?.length ?? 0;
  const words = text.match(/\p{L}+/gu)?.length ?? 0;
  return (letters >= minLetters && words >= MIN_WORDS) || unspaced >= minLetters / 2;
}

function countLetters(text: string): number {
  return text.match(/\p{L}/gu)?.length ?? 0;
}

function findLanguage(code: string, languages: readonly string[] | 'any'): string | null {
  if (languages === 'any') return toLanguageTag(code);
  return languages.find((tag) => getPrimarySubtag(tag) === code) ?? null;
}

function getPrimarySubtag(tag: string): string {
  return tag.toLowerCase().split('-')[0] ?? '';
}
