import type { RecognizedWord } from '../../engine.js';
import type { TermPhrase } from './term-phrases.js';
import type { TermEntry, Vocabulary } from './prepare-vocabulary.js';

const POSSESSIVE = "'s";

/** The words with every term as the caller wrote it: those that were listened for, and those heard as usual words. */
export function restoreVocabularyTerms(
  words: readonly RecognizedWord[],
  { listed, phrases }: Pick<Vocabulary, 'listed' | 'phrases'>,
): RecognizedWord[] {
  const named = words.flatMap((word) => {
    const term = listed.get(word.text);
    return term ? distributeTermTime(word, term) : [{ ...word, settled: false }];
  });
  const starts = new Map<string, TermPhrase[]>();
  for (const phrase of phrases) {
    const first = phrase.heard[0] ?? '';
    starts.set(first, [...(starts.get(first) ?? []), phrase]);
  }
  const written: RecognizedWord[] = [];
  for (let at = 0; at < named.length;) {
    const run = findLongestPhrase(named, at, starts);
    written.push(
      ...(run
        ? writePhrase(named.slice(at, at + run.heard.length), run)
        : named.slice(at, at + 1).map(toRecognizedWord)),
    );
    at += run?.heard.length ?? 1;
  }
  return written;
}

type Named = RecognizedWord & { settled: boolean };

/** The words of a term, each with its part of the time. */
function distributeTermTime(word: RecognizedWord, { texts, lengths }: TermEntry): Named[] {
  const whole = lengths.reduce((sum, length) => sum + length, 0);
  const at = (sounds: number): number => word.start + ((word.end - word.start) * sounds) / whole;
  let before = 0;
  return texts.map((text, index) => {
    const start = floorToMilliseconds(at(before));
    before += lengths[index] ?? 0;
    return { ...word, text, start, end: floorToMilliseconds(at(before)), settled: true };
  });
}

function findLongestPhrase(
  words: readonly Named[],
  at: number,
  starts: ReadonlyMap<string, TermPhrase[]>,
): TermPhrase | undefined {
  const first = normalizeWord(words[at]?.text ?? '');
  return starts.get(first)?.find(({ heard }) =>
    heard.every((word, index) => {
      const said = words[at + index];
      return said !== undefined && !said.settled && normalizeWord(said.text) === word;
    }),
  );
}

function writePhrase(heard: readonly Named[], { texts }: TermPhrase): RecognizedWord[] {
  const [first, last] = [heard[0], heard.at(-1)];
  if (!first || !last) return [];
  const ending = last.text.toLowerCase().endsWith(POSSESSIVE) ? POSSESSIVE : '';
  const endings = texts.map(
    (text, index) => text + (index === texts.length - 1 && !text.endsWith(ending) ? ending : ''),
  );
  if (texts.length === heard.length)
    return heard.map((word, index) => ({ ...toRecognizedWord(word), text: endings[index] ?? word.text }));
  const known = heard.map(({ confidence }) => confidence).filter((confidence) => confidence !== null);
  const confidence = known.length === heard.length ? Math.min(...known) : null;
  const whole = { ...toRecognizedWord(first), end: last.end, confidence };
  return distributeTermTime(whole, { texts: endings, lengths: texts.map((text) => text.length) }).map(
    toRecognizedWord,
  );
}

/** Letters are written `k` or `k.`, names also with a possessive. */
function normalizeWord(text: string): string {
  return text.toLowerCase().replace(/'s$/, '').replace(/\.$/, '');
}

function toRecognizedWord({ text, start, end, confidence, language }: RecognizedWord): RecognizedWord {
  return { text, start, end, confidence, language };
}

function floorToMilliseconds(seconds: number): number {
  return Math.floor(seconds * 1000 + 1e-6) / 1000;
}
