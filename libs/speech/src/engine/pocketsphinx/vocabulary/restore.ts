import type { HeardWord } from '../../engine.js';
import type { Phrase } from './phrases.js';
import type { ListedTerm, Vocabulary } from './vocabulary.js';

const POSSESSIVE = "'s";

/** The words with every term as the caller wrote it: those that were listened for, and those heard as usual words. */
export function restoreTerms(
  words: readonly HeardWord[],
  { listed, phrases }: Pick<Vocabulary, 'listed' | 'phrases'>,
): HeardWord[] {
  const named = words.flatMap((word) => {
    const term = listed.get(word.text);
    return term ? spread(word, term) : [{ ...word, settled: false }];
  });
  const starts = new Map<string, Phrase[]>();
  for (const phrase of phrases) {
    const first = phrase.heard[0] ?? '';
    starts.set(first, [...(starts.get(first) ?? []), phrase]);
  }
  const written: HeardWord[] = [];
  for (let at = 0; at < named.length;) {
    const run = longestRun(named, at, starts);
    written.push(
      ...(run ? rewrite(named.slice(at, at + run.heard.length), run) : named.slice(at, at + 1).map(plain)),
    );
    at += run?.heard.length ?? 1;
  }
  return written;
}

type Named = HeardWord & { settled: boolean };

/** The words of a term, each with its part of the time. */
function spread(word: HeardWord, { texts, lengths }: ListedTerm): Named[] {
  const whole = lengths.reduce((sum, length) => sum + length, 0);
  const at = (sounds: number): number => word.start + ((word.end - word.start) * sounds) / whole;
  let before = 0;
  return texts.map((text, index) => {
    const start = inMilliseconds(at(before));
    before += lengths[index] ?? 0;
    return { ...word, text, start, end: inMilliseconds(at(before)), settled: true };
  });
}

function longestRun(
  words: readonly Named[],
  at: number,
  starts: ReadonlyMap<string, Phrase[]>,
): Phrase | undefined {
  const first = bare(words[at]?.text ?? '');
  return starts.get(first)?.find(({ heard }) =>
    heard.every((word, index) => {
      const said = words[at + index];
      return said !== undefined && !said.settled && bare(said.text) === word;
    }),
  );
}

function rewrite(heard: readonly Named[], { texts }: Phrase): HeardWord[] {
  const [first, last] = [heard[0], heard.at(-1)];
  if (!first || !last) return [];
  const ending = last.text.toLowerCase().endsWith(POSSESSIVE) ? POSSESSIVE : '';
  const endings = texts.map(
    (text, index) => text + (index === texts.length - 1 && !text.endsWith(ending) ? ending : ''),
  );
  if (texts.length === heard.length)
    return heard.map((word, index) => ({ ...plain(word), text: endings[index] ?? word.text }));
  const known = heard.map(({ confidence }) => confidence).filter((confidence) => confidence !== null);
  const confidence = known.length === heard.length ? Math.min(...known) : null;
  const whole = { ...plain(first), end: last.end, confidence };
  return spread(whole, { texts: endings, lengths: texts.map((text) => text.length) }).map(plain);
}

/** Letters are written `k` or `k.`, names also with a possessive. */
function bare(text: string): string {
  return text.toLowerCase().replace(/'s$/, '').replace(/\.$/, '');
}

function plain({ text, start, end, confidence, language }: HeardWord): HeardWord {
  return { text, start, end, confidence, language };
}

function inMilliseconds(seconds: number): number {
  return Math.floor(seconds * 1000 + 1e-6) / 1000;
}
