import type { JobOptions } from '@app/jobs';
import type { EngineAbilities } from '@app/speech';
import type { TranscriptWarning } from '@app/transcript';

/** Terms that were given to an engine which cannot listen for them: the transcript says so. */
export function vocabularyWarnings(
  { custom_vocabulary: terms }: Pick<JobOptions, 'custom_vocabulary'>,
  { vocabulary }: Pick<EngineAbilities, 'vocabulary'>,
): TranscriptWarning[] {
  if (vocabulary || terms === null || terms.length === 0) return [];
  return [
    {
      code: 'vocabulary_unavailable',
      message: 'The engine cannot listen for given terms; the custom vocabulary was not used.',
      segment_id: null,
    },
  ];
}
