import type { ChunkOutput, JobOptions } from '@app/jobs';
import { AidFailed, type EngineAbilities, type Punctuator, type TextWord } from '@app/speech';
import type { ChunkWord, TranscriptWarning } from '@app/transcript';
import { Logger } from '@nestjs/common';

/** A hundred thousand words take a minute or so: what takes longer than this has gone wrong. */
const LONGEST_MS = 240_000;

const logger = new Logger('Punctuation');

type HeardChunk = Pick<ChunkOutput, 'language' | 'words'> & { start: number };

interface Marked<C> {
  chunks: (Omit<C, 'words'> & { words: ChunkWord[] })[];
  warnings: TranscriptWarning[];
}

/**
 * The chunks with the marks of a punctuation model on their words, where marks are wanted, the engine sets none itself
 * and there is a model. When it fails they are as they were, and that is said: sentences are then found by rules.
 * @param chunks in order of time
 */
export async function sentenceMarks<C extends HeardChunk>(
  chunks: readonly C[],
  punctuator: Punctuator | null,
  { nltk }: Pick<JobOptions, 'nltk'>,
  engine: Pick<EngineAbilities, 'punctuation'>,
): Promise<Marked<C>> {
  if (!punctuator || !nltk || engine.punctuation) return { chunks: [...chunks], warnings: [] };
  try {
    const marks = await punctuator.marks(chunks.flatMap(onFileClock), AbortSignal.timeout(LONGEST_MS));
    let at = 0;
    const marked = chunks.map((chunk) => ({
      ...chunk,
      words: chunk.words.map((word): ChunkWord => {
        const mark = marks[at++];
        return mark === undefined ? word : { ...word, mark };
      }),
    }));
    return { chunks: marked, warnings: [] };
  } catch (error) {
    const cause = error instanceof AidFailed ? error.cause : error;
    logger.warn(`The sentences could not be marked by the model: ${String(cause)}`);
    const message = 'The punctuation model failed; sentences were found by simpler rules.';
    return {
      chunks: [...chunks],
      warnings: [{ code: 'punctuation_unavailable', message, segment_id: null }],
    };
  }
}

function onFileClock({ start: offset, language, words }: HeardChunk): TextWord[] {
  return words.map(({ text, start, end, language: own }) => ({
    text,
    start: offset + start,
    end: offset + end,
    language: own ?? language,
  }));
}
