import { setTimeout as pause } from 'node:timers/promises';
import type { TranscriptDocument } from '@app/transcript';
import { toServiceError } from '../../errors/to-service-error.js';
import { toOpenAiErrorResponse } from '../openai-error.js';
import { splitSpacedTexts } from './split-spaced-texts.js';

/**
 * A streamed answer as server-sent events: comments while the job runs, then the text a segment at a time, then all of
 * it; or the error, which has no status any more.
 */
export async function* streamResponseEvents(
  pendingTranscript: Promise<TranscriptDocument>,
  heartbeatMs: number,
): AsyncGenerator<string> {
  yield ': accepted\n\n';
  try {
    const transcript = pendingTranscript.then((document) => ({ document }));
    let done: { document: TranscriptDocument } | undefined;
    while ((done = await firstOf(transcript, heartbeatMs)) === undefined) yield ': heartbeat\n\n';
    const { document } = done;
    for (const delta of splitSpacedTexts(document))
      yield formatEvent({ type: 'transcript.text.delta', delta });
    yield formatEvent({ type: 'transcript.text.done', text: document.text });
  } catch (error) {
    yield formatEvent(toOpenAiErrorResponse(toServiceError(error)).body);
  }
}

/** What comes within the time; undefined when nothing does. */
async function firstOf<T>(pending: Promise<T>, withinMs: number): Promise<T | undefined> {
  const settled = new AbortController();
  const timer = pause(withinMs, undefined, { signal: settled.signal }).catch(() => undefined);
  return Promise.race([pending, timer]).finally(() => settled.abort());
}

function formatEvent(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
