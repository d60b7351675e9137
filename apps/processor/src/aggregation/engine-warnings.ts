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
      message: 'The engine returns no word times; they were estimated from the times of longer segments.',
      segment_id: null,
    });
  const doubted = chunks.reduce((sum, { doubtedWords }) => sum + (doubtedWords ?? 0), 0);
  if (doubted > 0)
    warnings.push({
      code: 'text_doubted',
      message: `${doubted} words with low confidence were removed.`,
      segment_id: null,
    });
  return warnings;
}
