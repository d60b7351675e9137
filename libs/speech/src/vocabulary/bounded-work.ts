import { CooperativeYielder } from '@app/async';

/**
 * About ten seconds of processor time. A thousand terms of eight words take a quarter of it in a minute of speech, if all words are doubted
 * and all terms sound much like them.
 */
const MAX_SOUND_COMPARISONS = 1e9;

export class TooManyComparisonsError extends Error {
  override readonly name = 'TooManyComparisonsError';
}

/** The work that may be done for the vocabulary of one chunk. */
export class BoundedWork extends CooperativeYielder {
  constructor(
    signal: AbortSignal,
    private comparisonsLeft = MAX_SOUND_COMPARISONS,
  ) {
    super(signal);
  }

  /** @param count of pairs of sounds @throws TooManyComparisonsError */
  countComparisons(count: number): void {
    this.comparisonsLeft -= count;
    if (this.comparisonsLeft < 0)
      throw new TooManyComparisonsError('the vocabulary has too many terms for this many doubted words');
  }
}
