import { joinWords, needsSpaceBetween } from '@app/transcript';
import pTimeout from 'p-timeout';
import { toServiceError } from '../../../errors/to-service-error.js';
import { toOpenAiErrorResponse } from '../../../errors/openai-error-response.js';
import type { SegmentTextDelta, TranscriptTextDeltas } from '../../../results/rendering/run-render-task.js';

/** Text of a chunk, as the engine recognised it. */
export interface StreamedChunkText {
  text: string;
  /** Seconds from the start of the file. */
  end: number;
}

/** How often chunks are read. */
const POLL_MS = 1_000;

/**
 * Yields a streamed response as server-sent events: a delta per transcribed chunk and comments while the job runs, a delta
 * per remaining segment, then the whole text; or an error event, because the status has been sent. The whole text is
 * authoritative: it has the punctuation and corrections that chunks do not have.
 * @param readChunks the chunks since the last call, in order; none by default
 */
export async function* streamTranscriptionEvents(
  pendingTranscript: Promise<TranscriptTextDeltas>,
  heartbeatMs: number,
  readChunks: () => Promise<StreamedChunkText[]> = async () => [],
): AsyncGenerator<string> {
  yield ': accepted\n\n';
  let sentUntil = 0;
  let sentText = '';
  const formatDelta = (text: string): string => {
    const separator = sentText !== '' && needsSpaceBetween(sentText, text) ? ' ' : '';
    sentText = text;
    return formatEvent({ type: 'transcript.text.delta', delta: separator + text });
  };
  try {
    const transcript = pendingTranscript.then((value) => ({ value }));
    let done: { value: TranscriptTextDeltas } | undefined;
    let lastEventAt = performance.now();
    const milliseconds = Math.min(heartbeatMs, POLL_MS);
    while ((done = await pTimeout(transcript, { milliseconds, message: false })) === undefined) {
      const pause = performance.now() - lastEventAt;
      // Without early text the transcript still comes when it is ready.
      const chunks = await readChunks().catch((): StreamedChunkText[] => []);
      for (const { text, end } of chunks) {
        sentUntil = Math.max(sentUntil, end);
        if (text !== '') yield formatDelta(text);
      }
      if (chunks.length === 0 && pause >= heartbeatMs) yield ': heartbeat\n\n';
      if (chunks.length > 0 || pause >= heartbeatMs) lastEventAt = performance.now();
    }
    const { segments, text } = done.value;
    if (sentText === '')
      for (const { delta } of segments) yield formatEvent({ type: 'transcript.text.delta', delta });
    else for (const rest of listTextsAfter(segments, sentUntil)) yield formatDelta(rest);
    yield formatEvent({ type: 'transcript.text.done', text });
  } catch (error) {
    yield formatEvent(toOpenAiErrorResponse(toServiceError(error)).body);
  }
}

/** Of a segment over the limit, only the words after it. */
function listTextsAfter(segments: SegmentTextDelta[], second: number): string[] {
  return segments.flatMap(({ start, text, words }) => {
    if (start >= second) return [text];
    const rest = joinWords(words.filter((word) => word.start >= second).map(({ word }) => word));
    return rest === '' ? [] : [rest];
  });
}

function formatEvent(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
