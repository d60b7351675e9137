import { computePhonemeDistance, type Phonemes } from './phoneme-distance.js';
import type { TermWithPronunciations } from './vocabulary-terms.js';

/** A recognized word in one run of words of a language without a pause. */
export interface CandidateWord {
  /** Without punctuation, in lower case. */
  key: string;
  /** The engine is not sure of it, and it is no common word. */
  isDoubted: boolean;
  /** A pause, or the end of a sentence or clause, follows. */
  endsPhrase: boolean;
  phonemes: Phonemes;
}

/** The words `from` up to, not including, `to` are the parts `fromPart` up to `toPart` of the term. */
export interface TermMatch {
  from: number;
  to: number;
  term: TermWithPronunciations;
  fromPart: number;
  toPart: number;
  /** Result of `computePhonemeDistance`. */
  distance: number;
  /** The words are the term with an s: a genitive or a plural. */
  hasSuffix: boolean;
}

/** A name is rarely misrecognized as more words than this beyond its own. */
const MAX_ADDED_WORDS = 2;
/** Share of the sounds of the longer one. */
const MAX_DISTANCE = 0.28;
/** Shorter ones must sound the same: too many words are like them. */
const MIN_INEXACT_PHONEMES = 4;
const SIBILANTS = new Set(['s', 'z']);

/** Not overlapping, in order; of overlapping ones the most similar. */
export function findTermMatches(
  words: readonly CandidateWord[],
  terms: readonly TermWithPronunciations[],
): TermMatch[] {
  const matches: TermMatch[] = [];
  for (const span of listSpans(
    words,
    Math.max(0, ...terms.map(({ parts }) => parts.length + MAX_ADDED_WORDS)),
  ))
    for (const term of terms) {
      if (span.words.length > term.parts.length + MAX_ADDED_WORDS) continue;
      const match = matchSpan(span.words, term);
      if (match) matches.push({ ...match, from: span.from + match.from, to: span.from + match.to });
    }
  return selectBest(matches);
}

/** Consecutive words of one phrase, at least one of them doubted. */
function listSpans(
  words: readonly CandidateWord[],
  longest: number,
): { from: number; words: readonly CandidateWord[] }[] {
  return words.flatMap((_, from) => {
    const end = words.findIndex(({ endsPhrase }, index) => index >= from && endsPhrase);
    const last = Math.min(end < 0 ? words.length : end + 1, from + longest);
    const spans = Array.from({ length: last - from }, (__, at) => words.slice(from, from + at + 1));
    return spans
      .filter((span) => span.some(({ isDoubted }) => isDoubted))
      .map((span) => ({ from, words: span }));
  });
}

/** Words of the term itself, at both ends of the span, stay. The others must be doubted, or words of the term as well. */
function matchSpan(span: readonly CandidateWord[], term: TermWithPronunciations): TermMatch | null {
  const { keys } = term;
  const shorter = Math.min(span.length, keys.length);
  let before = 0;
  while (before < shorter && span[before]?.key === keys[before]) before += 1;
  let after = 0;
  while (after < shorter - before && span.at(-1 - after)?.key === keys.at(-1 - after)) after += 1;
  const replaced = span.slice(before, span.length - after);
  const [fromPart, toPart] = [before, keys.length - after];
  const isReplaceable =
    replaced.some(({ isDoubted }) => isDoubted) &&
    replaced.every(
      ({ isDoubted, key, phonemes }) => isDoubted || (keys.includes(key) && phonemes.length > 0),
    );
  if (fromPart === toPart || !isReplaceable) return null;
  const heard = replaced.flatMap(({ phonemes }) => phonemes);
  const where = { from: before, to: before + replaced.length, term, fromPart, toPart };
  let best: TermMatch | null = null;
  for (const reading of term.readings) {
    const said = reading.slice(fromPart, toPart).flat();
    for (const hasSuffix of [false, true]) {
      if (hasSuffix && !(SIBILANTS.has(heard.at(-1) ?? '') && !SIBILANTS.has(said.at(-1) ?? ''))) continue;
      const limit = best?.distance ?? MAX_DISTANCE;
      const distance = measureSimilarity(hasSuffix ? heard.slice(0, -1) : heard, said, limit);
      if (distance <= MAX_DISTANCE && distance < (best?.distance ?? Infinity))
        best = { ...where, distance, hasSuffix };
    }
  }
  return best;
}

function measureSimilarity(heard: Phonemes, said: Phonemes, limit: number): number {
  const distance = computePhonemeDistance(heard, said, limit);
  const isShort = Math.min(heard.length, said.length) < MIN_INEXACT_PHONEMES;
  return isShort && distance > 0 ? Infinity : distance;
}

/** A similar span is better than a longer one that contains it. */
function selectBest(matches: readonly TermMatch[]): TermMatch[] {
  const chosen: TermMatch[] = [];
  const ranked = matches.toSorted((a, b) => a.distance - b.distance || b.to - b.from - (a.to - a.from));
  for (const match of ranked)
    if (chosen.every(({ from, to }) => match.to <= from || match.from >= to)) chosen.push(match);
  return chosen.toSorted((a, b) => a.from - b.from);
}
