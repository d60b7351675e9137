import { setTimeout as pause } from 'node:timers/promises';
import type { TranscriptDocument } from '@app/transcript';
import { toServiceError } from '../../errors/to-service-error.js';
import { toOpenAiErrorResponse } from '../openai-error.js';
import { splitSpacedTexts } from './split-spaced-texts.js';

/**
 * Yields a streamed response as server-sent events: comments while the job runs, one delta per segment, then the whole
 * text; or an error event, because the status has been sent.
 */
export async function* streamResponseEvents(
  pendingTranscript: Promise<TranscriptDocument>,
  heartbeatMs: number,
): AsyncGenerator<string> {
  yield ': accepted\n\n';
  try {
    const transcript = pendingTranscript.then((document) => ({ document }));
    let done: { document: TranscriptDocument } | undefined;
    while ((done = await raceTimeout(transcript, heartbeatMs)) === undefined) yield ': heartbeat\n\n';
    const { document } = done;
    for (const delta of splitSpacedTexts(document))
      yield formatEvent({ type: 'transcript.text.delta', delta });
    yield formatEvent({ type: 'transcript.text.done', text: document.text });
  } catch (error) {
    yield formatEvent(toOpenAiErrorResponse(toServiceError(error)).body);
  }
}

/** Resolves with undefined on timeout. */
async function raceTimeout<T>(pending: Promise<T>, timeoutMs: number): Promise<T | undefined> {
  const settled = new AbortController();
  const timer = pause(timeoutMs, undefined, { signal: settled.signal }).catch(() => undefined);
  return Promise.race([pending, timer]).finally(() => settled.abort());
}

function formatEvent(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
