import { CooperativeYielder } from '@app/async';

/**
 * About ten seconds of processor time. A thousand terms of eight words take a quarter of it in a minute of speech, if all words are doubted
 * and all terms sound much like them.
 */
const MAX_SOUND_COMPARISONS = 1e9;

export class CorrectionBudgetExceededError extends Error {
  override readonly name = 'CorrectionBudgetExceededError';
}

/** How many sounds may be compared to correct the words of one chunk. */
export class CorrectionBudget extends CooperativeYielder {
  constructor(
    signal: AbortSignal,
    private comparisonsLeft = MAX_SOUND_COMPARISONS,
  ) {
    super(signal);
  }

  /** @param count of pairs of sounds @throws CorrectionBudgetExceededError */
  countComparisons(count: number): void {
    this.comparisonsLeft -= count;
    if (this.comparisonsLeft < 0)
      throw new CorrectionBudgetExceededError(
        'the vocabulary has too many terms for this many doubted words',
      );
  }
}
