import type { TranscriptDocument } from '@app/transcript';
import pTimeout from 'p-timeout';
import { toServiceError } from '../../../errors/to-service-error.js';
import { toOpenAiErrorResponse } from '../../../errors/openai-error-response.js';
import { splitTextBySegment } from './render-transcription.js';

/**
 * Yields a streamed response as server-sent events: comments while the job runs, one delta per segment, then the whole
 * text; or an error event, because the status has been sent.
 */
export async function* streamTranscriptionEvents(
  pendingTranscript: Promise<TranscriptDocument>,
  heartbeatMs: number,
): AsyncGenerator<string> {
  yield ': accepted\n\n';
  try {
    const transcript = pendingTranscript.then((document) => ({ document }));
    let done: { document: TranscriptDocument } | undefined;
    while ((done = await pTimeout(transcript, { milliseconds: heartbeatMs, message: false })) === undefined)
      yield ': heartbeat\n\n';
    const { document } = done;
    for (const delta of splitTextBySegment(document))
      yield formatEvent({ type: 'transcript.text.delta', delta });
    yield formatEvent({ type: 'transcript.text.done', text: document.text });
  } catch (error) {
    yield formatEvent(toOpenAiErrorResponse(toServiceError(error)).body);
  }
}

function formatEvent(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
