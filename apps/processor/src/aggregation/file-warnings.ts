import type { DeclaredSizes } from '@app/jobs';
import type { TranscriptWarning } from '@app/transcript';

/**
 * Warnings about a file that is shorter than declared.
 * @param duration seconds that were decoded
 */
export function buildFileWarnings(
  { declaredSize, storedSize, declaredSeconds }: DeclaredSizes,
  duration: number,
): TranscriptWarning[] {
  const warnings: TranscriptWarning[] = [];
  if (declaredSize !== null && storedSize !== null && storedSize < declaredSize)
    warnings.push({
      code: 'upload_smaller_than_declared',
      message: `${storedSize} of ${declaredSize} declared bytes were uploaded.`,
      segment_id: null,
    });
  if (declaredSeconds !== null)
    warnings.push({
      code: 'audio_truncated',
      message: `The file declares a length of ${declaredSeconds.toFixed(2)} s; ${duration.toFixed(2)} s of audio could be decoded.`,
      segment_id: null,
    });
  return warnings;
}
