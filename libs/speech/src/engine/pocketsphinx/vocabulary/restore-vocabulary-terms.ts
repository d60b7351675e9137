import type { RecognizedWord } from '../../engine.js';
import type { TermRestorationRule } from './term-restoration-rules.js';
import type { TermWordsWithPhoneCounts, PocketsphinxVocabulary } from './build-pocketsphinx-vocabulary.js';
import { floorToThreeDecimals } from '../../estimate-word-times.js';
import { isSpelledLetter } from './spoken-forms.js';

const POSSESSIVE = "'s";

/** Replaces recognized term entries, and terms recognized as ordinary words, by the caller's spelling. */
export function restoreVocabularyTerms(
  words: readonly RecognizedWord[],
  { termsByEngineName: entries, phrases }: Pick<PocketsphinxVocabulary, 'termsByEngineName' | 'phrases'>,
): RecognizedWord[] {
  const expanded = words.flatMap((word) => {
    const term = entries.get(word.text);
    return term ? distributeTermTime(word, term) : [{ ...word, isTerm: false }];
  });
  const starts = new Map<string, TermRestorationRule[]>();
  for (const phrase of phrases) {
    const first = normalizeWord(phrase.recognizedWords[0] ?? '');
    starts.set(first, [...(starts.get(first) ?? []), phrase]);
  }
  const restored: RecognizedWord[] = [];
  for (let at = 0; at < expanded.length;) {
    const phrase = findLongestPhrase(expanded, at, starts);
    const length = phrase?.recognizedWords.length ?? 1;
    const span = expanded.slice(at, at + length);
    restored.push(...(phrase ? writePhrase(span, phrase) : span.map(toRecognizedWord)));
    at += length;
  }
  return restored;
}

type ExpandedWord = RecognizedWord & { isTerm: boolean };

/** Time is in proportion to the phones of each word. */
function distributeTermTime(
  word: RecognizedWord,
  { texts, phoneCounts }: TermWordsWithPhoneCounts,
): ExpandedWord[] {
  const whole = phoneCounts.reduce((sum, length) => sum + length, 0);
  const at = (sounds: number): number => word.start + ((word.end - word.start) * sounds) / whole;
  let before = 0;
  return texts.map((text, index) => {
    const start = floorToThreeDecimals(at(before));
    before += phoneCounts[index] ?? 0;
    return { ...word, text, start, end: floorToThreeDecimals(at(before)), isTerm: true };
  });
}

function findLongestPhrase(
  words: readonly ExpandedWord[],
  at: number,
  starts: ReadonlyMap<string, TermRestorationRule[]>,
): TermRestorationRule | undefined {
  const first = normalizeWord(words[at]?.text ?? '');
  return starts.get(first)?.find(({ recognizedWords }) =>
    recognizedWords.every((word, index) => {
      const candidate = words[at + index];
      return candidate !== undefined && !candidate.isTerm && isWrittenAs(candidate.text, word);
    }),
  );
}

function writePhrase(span: readonly ExpandedWord[], { texts }: TermRestorationRule): RecognizedWord[] {
  const [first, last] = [span[0], span.at(-1)];
  if (!first || !last) return [];
  const ending = last.text.toLowerCase().endsWith(POSSESSIVE) ? POSSESSIVE : '';
  const endings = texts.map(
    (text, index) => text + (index === texts.length - 1 && !text.endsWith(ending) ? ending : ''),
  );
  if (texts.length === span.length)
    return span.map((word, index) => ({ ...toRecognizedWord(word), text: endings[index] ?? word.text }));
  const known = span.map(({ confidence }) => confidence).filter((confidence) => confidence !== null);
  const confidence = known.length === span.length ? Math.min(...known) : null;
  const whole = { ...toRecognizedWord(first), end: last.end, confidence };
  return distributeTermTime(whole, { texts: endings, phoneCounts: texts.map((text) => text.length) }).map(
    toRecognizedWord,
  );
}

function isWrittenAs(text: string, word: string): boolean {
  return normalizeWord(text) === normalizeWord(word) && (!isSpelledLetter(word) || text.includes('.'));
}

/** Letters may be written `k` or `k.`, names with a possessive. */
function normalizeWord(text: string): string {
  return text.toLowerCase().replace(/'s$/, '').replace(/\.$/, '');
}

function toRecognizedWord({ text, start, end, confidence, language }: RecognizedWord): RecognizedWord {
  return { text, start, end, confidence, language };
}
