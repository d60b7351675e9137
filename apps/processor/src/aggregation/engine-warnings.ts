import type { ChunkOutput, JobOptions } from '@app/jobs';
import type { TranscriptWarning } from '@app/transcript';

/** Warnings about estimated times and low-confidence words. */
export function buildEngineWarnings(
  { word_timestamps: wanted }: Pick<JobOptions, 'word_timestamps'>,
  chunks: readonly Pick<ChunkOutput, 'timesEstimated' | 'doubtedWords'>[],
): TranscriptWarning[] {
  const warnings: TranscriptWarning[] = [];
  if (wanted && chunks.some(({ timesEstimated }) => timesEstimated))
    warnings.push({
      code: 'word_times_estimated',
      message:
        'The engine gives no times for single words: they were estimated from those of longer stretches.',
      segment_id: null,
    });
  const doubted = chunks.reduce((sum, { doubtedWords }) => sum + (doubtedWords ?? 0), 0);
  if (doubted > 0)
    warnings.push({
      code: 'text_doubted',
      message: `The engine itself doubted ${doubted} words, as if nobody had said them; they were dropped.`,
      segment_id: null,
    });
  return warnings;
}
