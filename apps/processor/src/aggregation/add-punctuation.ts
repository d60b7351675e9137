import type { JobOptions } from '@app/jobs';
import { AuxiliaryModelError, type EngineCapabilities, type Punctuator } from '@app/speech';
import type { FileWord, TranscriptWarning } from '@app/transcript';
import { Logger } from '@nestjs/common';

/** A hundred thousand words take a minute or so: what takes longer than this has gone wrong. */
const PUNCTUATION_TIMEOUT_MS = 240_000;

const logger = new Logger('Punctuation');

/**
 * Puts the marks of a punctuation model on the words, where marks are wanted, the engine sets none itself and there is a
 * model. When it fails they are as they were, and that is said: sentences are then found by rules.
 * @param words of the file, in order
 * @returns what is to be said about it
 * @throws the reason of `signal` when it is aborted: a model that ends with its process has not failed
 */
export async function addPunctuation(
  words: readonly FileWord[],
  punctuator: Punctuator | null,
  { nltk }: Pick<JobOptions, 'nltk'>,
  engine: Pick<EngineCapabilities, 'punctuation'>,
  signal: AbortSignal,
): Promise<TranscriptWarning[]> {
  if (!punctuator || !nltk || engine.punctuation) return [];
  try {
    const marks = await punctuator.marks(
      words,
      AbortSignal.any([signal, AbortSignal.timeout(PUNCTUATION_TIMEOUT_MS)]),
    );
    for (const [at, word] of words.entries()) word.mark = marks[at];
    return [];
  } catch (error) {
    signal.throwIfAborted();
    const cause = error instanceof AuxiliaryModelError ? error.cause : error;
    logger.warn(`The punctuation model failed, rules are used instead: ${String(cause)}`);
    const message = 'The punctuation model failed; sentences were found by simpler rules.';
    return [{ code: 'punctuation_unavailable', message, segment_id: null }];
  }
}
