import type { TranscriptDocument } from '@app/transcript';

/** What is charged: every second that was begun. */
export function toUsage({ usage }: Pick<TranscriptDocument, 'usage'>): object {
  return { type: 'duration', seconds: Math.ceil(usage.seconds) };
}
