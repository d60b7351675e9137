import type { JobOptions } from '@app/jobs';
import { AuxiliaryModelError, type EngineCapabilities, type PunctuationMarkPredictor } from '@app/speech';
import type { TimelineWord, TranscriptWarning } from '@app/transcript';
import { Logger } from '@nestjs/common';

/** A hundred thousand words take about a minute; a longer call has failed. */
const PUNCTUATION_TIMEOUT_MS = 240_000;

const logger = new Logger('Punctuation');

/**
 * Sets marks if they are requested, the engine sets none and a model is installed. If the model fails, rules find the
 * sentences.
 * @param timelines with words in order
 * @returns warnings
 * @throws the reason of `signal` when it is aborted
 */
export async function addPredictedPunctuation(
  timelines: readonly { words: readonly TimelineWord[] }[],
  punctuator: PunctuationMarkPredictor | null,
  { nltk }: Pick<JobOptions, 'nltk'>,
  engine: Pick<EngineCapabilities, 'punctuation'>,
  signal: AbortSignal,
): Promise<TranscriptWarning[]> {
  if (!punctuator || !nltk || engine.punctuation) return [];
  try {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(PUNCTUATION_TIMEOUT_MS)]);
    for (const { words } of timelines) {
      const marks = await punctuator.predictMarks(words, deadline);
      for (const [at, word] of words.entries()) word.mark = marks[at];
    }
    return [];
  } catch (error) {
    signal.throwIfAborted();
    const cause = error instanceof AuxiliaryModelError ? error.cause : error;
    logger.warn(`the punctuation model failed, rules are used instead: ${String(cause)}`);
    const message = 'The punctuation model failed; sentences were found by simpler rules.';
    return [{ code: 'punctuation_unavailable', message, segment_id: null }];
  }
}
