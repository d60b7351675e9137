import type { CorrectionBudget } from './correction-budget.js';
import { type EncodedPartSounds, encodePartSounds, type Phonemes } from './phoneme-distance.js';
import type { WordsOfTermParts, TermSoundComparer, TermSimilarity } from './term-sound-comparer.js';
import type { TermIndex } from './term-index.js';
import type { TermWithPronunciations } from './vocabulary-terms.js';

/** A recognized word in one run of words of a language without a pause. */
export interface CandidateWord {
  /** The word without punctuation, in lower case. */
  key: string;
  /** The engine is not sure of it, and it is no common word. */
  isDoubted: boolean;
  /** A pause, or the end of a sentence or clause, follows. */
  endsPhrase: boolean;
  phonemes: Phonemes;
}

/** The words `from` up to, not including, `to` are the parts `fromPart` up to `toPart` of the term. */
export interface VocabularyTermMatch extends TermSimilarity {
  from: number;
  to: number;
  term: TermWithPronunciations;
  fromPart: number;
  toPart: number;
}

/** A name is rarely misrecognized as more words than this beyond its own. */
const MAX_ADDED_WORDS = 2;

/**
 * Matches that do not overlap, in order: of overlapping ones the most similar.
 * @throws CorrectionBudgetExceededError; the reason of the abort
 */
export async function findVocabularyTermMatches(
  words: readonly CandidateWord[],
  terms: TermIndex,
  budget: CorrectionBudget,
): Promise<VocabularyTermMatch[]> {
  const finder = new TermMatchFinder(words, terms, budget);
  const matches = new BestMatches(words.length);
  for (const from of words.keys()) {
    for (const match of finder.findFrom(from)) matches.add(match);
    await budget.yieldIfDue();
  }
  return matches.select();
}

/** Words that may be a misheard term. Words of the term before and after them stay. */
interface CandidateTermSpan extends WordsOfTermParts {
  /** Index after the last word. */
  to: number;
  /** Index after the words of the term that stay. */
  end: number;
}

class TermMatchFinder {
  private readonly heard: EncodedPartSounds;
  /** For each word the index after the last word of its phrase. */
  private readonly phraseEnds: readonly number[];

  constructor(
    private readonly words: readonly CandidateWord[],
    private readonly terms: TermIndex,
    private readonly budget: CorrectionBudget,
  ) {
    this.heard = encodePartSounds(words.map(({ phonemes }) => phonemes));
    const phraseEnds: number[] = [];
    for (let at = words.length - 1; at >= 0; at -= 1)
      phraseEnds[at] = words[at]?.endsPhrase ? at + 1 : (phraseEnds[at + 1] ?? words.length);
    this.phraseEnds = phraseEnds;
  }

  /** Matches of words that begin with this one, or with words of the term from this one on; shorter ones first. */
  findFrom(from: number): VocabularyTermMatch[] {
    const word = this.words[from];
    if (!word) return [];
    // A word that is not doubted stays, unless it is a word of the term.
    const comparers = word.isDoubted ? this.terms.comparers : this.terms.listComparersOfTermsWith(word.key);
    return comparers
      .flatMap((comparer) => this.matchTerm(from, comparer))
      .toSorted((a, b) => a.end - b.end)
      .map(({ match }) => match);
  }

  private matchTerm(
    from: number,
    comparer: TermSoundComparer,
  ): { end: number; match: VocabularyTermMatch }[] {
    const { term } = comparer;
    const { keys } = term;
    const last = Math.min(this.phraseEnds[from] ?? 0, from + keys.length + MAX_ADDED_WORDS);
    let before = 0;
    while (from + before < last && before < keys.length && this.words[from + before]?.key === keys[before])
      before += 1;
    const start = from + before;
    const spans = this.listSpans(from, before, last, keys);
    if (spans.length === 0) return [];
    const { sounds, offsets } = this.heard;
    const heard = sounds.subarray(offsets[start], offsets[spans.at(-1)?.to ?? start]);
    return comparer.compare(heard, before, spans, this.budget).flatMap((similarity, index) => {
      const span = spans[index];
      if (!similarity || !span) return [];
      const { to, toPart, end } = span;
      return [{ end, match: { ...similarity, from: start, to, term, fromPart: before, toPart } }];
    });
  }

  /**
   * Words of the term itself, at both ends of the span, stay. The others must be doubted, or words of the term as well.
   * @param before how many words at the start stay @param last exclusive
   * @returns in the order of `to`
   */
  private listSpans(
    from: number,
    before: number,
    last: number,
    keys: readonly string[],
  ): CandidateTermSpan[] {
    const { words } = this;
    const { offsets } = this.heard;
    const start = from + before;
    if (before === keys.length) return [];
    let limit = start;
    let firstDoubted = Infinity;
    for (; limit < last; limit += 1) {
      const { isDoubted, key, phonemes } = words[limit] ?? NO_WORD;
      const isReplaceable = isDoubted || (keys.includes(key) && phonemes.length > 0);
      if (!isReplaceable) break;
      if (isDoubted) firstDoubted = Math.min(firstDoubted, limit);
    }
    const spans: CandidateTermSpan[] = [];
    for (let end = start + 1; end <= last; end += 1) {
      const shorter = Math.min(end - from, keys.length);
      let after = 0;
      while (after < shorter - before && words[end - 1 - after]?.key === keys.at(-1 - after)) after += 1;
      const [to, toPart] = [end - after, keys.length - after];
      if (to > limit || to <= firstDoubted || toPart === before) continue;
      const sounds = (offsets[to] ?? 0) - (offsets[start] ?? 0);
      spans.push({ end, to, toPart, sounds });
    }
    return spans.toSorted((a, b) => a.to - b.to);
  }
}

const NO_WORD: CandidateWord = { key: '', isDoubted: false, endsPhrase: true, phonemes: [] };

/** The most similar match of each span of words: any number of terms may be like them. */
class BestMatches {
  private readonly bySpan = new Map<number, VocabularyTermMatch>();

  constructor(private readonly wordCount: number) {}

  add(match: VocabularyTermMatch): void {
    const span = match.from * (this.wordCount + 1) + match.to;
    const known = this.bySpan.get(span);
    if (known && known.distance <= match.distance) return;
    // Of equally similar matches that overlap, the one that was found first is selected.
    this.bySpan.delete(span);
    this.bySpan.set(span, match);
  }

  /** A similar span is better than a longer one that contains it. */
  select(): VocabularyTermMatch[] {
    const chosen: VocabularyTermMatch[] = [];
    const ranked = [...this.bySpan.values()].toSorted(
      (a, b) => a.distance - b.distance || b.to - b.from - (a.to - a.from),
    );
    for (const match of ranked)
      if (chosen.every(({ from, to }) => match.to <= from || match.from >= to)) chosen.push(match);
    return chosen.toSorted((a, b) => a.from - b.from);
  }
}
