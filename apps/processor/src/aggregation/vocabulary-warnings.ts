import type { ChunkOutput, JobOptions } from '@app/jobs';
import type { EngineCapabilities } from '@app/speech';
import type { TranscriptWarning } from '@app/transcript';

/** Warnings about vocabulary terms that the engine could not use. */
export function buildVocabularyWarnings(
  { custom_vocabulary: terms }: Pick<JobOptions, 'custom_vocabulary'>,
  { vocabulary }: Pick<EngineCapabilities, 'vocabulary'>,
  chunks: readonly Pick<ChunkOutput, 'unusedTerms'>[],
): TranscriptWarning[] {
  if (terms === null || terms.length === 0) return [];
  if (!vocabulary) {
    const message = 'The engine does not support a custom vocabulary; the terms were not used.';
    return [{ code: 'vocabulary_unavailable', message, segment_id: null }];
  }
  const unused = Math.max(0, ...chunks.map(({ unusedTerms }) => unusedTerms ?? 0));
  if (unused === 0) return [];
  const message = `The engine could not use ${unused} of ${terms.length} terms of the custom vocabulary, because it does not know their pronunciation.`;
  return [{ code: 'vocabulary_partial', message, segment_id: null }];
}
