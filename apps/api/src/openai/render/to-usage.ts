import type { TranscriptDocument } from '@app/transcript';

/** The charged duration: every started second. */
export function toUsage({ usage }: Pick<TranscriptDocument, 'usage'>): object {
  return { type: 'duration', seconds: Math.ceil(usage.seconds) };
}
