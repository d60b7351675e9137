import type { TranscriptDocument } from '@app/transcript';
import { toUsage } from './to-usage.js';

const UNKNOWN_SPEAKER = 'unknown';

/** OpenAI's `diarized_json`, with the speaker labels of this service. */
export function toDiarizedJson(document: TranscriptDocument): object {
  const { duration, text, segments } = document;
  return {
    task: 'transcribe',
    duration,
    text,
    segments: segments.map(({ id, start, end, text: said, speaker }) => ({
      type: 'transcript.text.segment',
      id: `seg_${id}`,
      start,
      end,
      text: said,
      speaker: speaker ?? UNKNOWN_SPEAKER,
    })),
    usage: toUsage(document),
  };
}
