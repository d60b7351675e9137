import type { TranscriptDocument } from '@app/transcript';

/** What is charged: every second that was begun. */
export function usageOf({ usage }: Pick<TranscriptDocument, 'usage'>): object {
  return { type: 'duration', seconds: Math.ceil(usage.seconds) };
}
