import type { CooperativeYielder } from '@app/async';
import { TermSoundComparer } from './term-sound-comparer.js';
import type { TermWithPronunciations } from './vocabulary-terms.js';

/** The terms of a list, ready to be compared with recognized words. */
export class TermIndex {
  private constructor(
    readonly comparers: readonly TermSoundComparer[],
    private readonly comparersByKey: ReadonlyMap<string, readonly TermSoundComparer[]>,
  ) {}

  /** @throws the reason of the abort */
  static async build(
    terms: readonly TermWithPronunciations[],
    yielder: CooperativeYielder,
  ): Promise<TermIndex> {
    const comparers: TermSoundComparer[] = [];
    const comparersByKey = new Map<string, TermSoundComparer[]>();
    for (const term of terms) {
      const comparer = new TermSoundComparer(term);
      comparers.push(comparer);
      for (const key of new Set(term.keys)) {
        const known = comparersByKey.get(key);
        if (known) known.push(comparer);
        else comparersByKey.set(key, [comparer]);
      }
      await yielder.yieldIfDue();
    }
    return new TermIndex(comparers, comparersByKey);
  }

  /** @param key a word in lower case */
  listComparersOfTermsWith(key: string): readonly TermSoundComparer[] {
    return this.comparersByKey.get(key) ?? [];
  }
}
