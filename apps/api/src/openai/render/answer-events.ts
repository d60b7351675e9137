import { setTimeout as pause } from 'node:timers/promises';
import type { TranscriptDocument } from '@app/transcript';
import { toServiceError } from '../../errors/to-service-error.js';
import { openAiRefusal } from '../openai-refusal.js';
import { spacedTexts } from './spaced-texts.js';

/**
 * A streamed answer as server-sent events: comments while the job runs, then the text a segment at a time, then all of
 * it; or the error, which has no status any more.
 */
export async function* answerEvents(
  coming: Promise<TranscriptDocument>,
  heartbeatMs: number,
): AsyncGenerator<string> {
  yield ': accepted\n\n';
  try {
    const transcript = coming.then((document) => ({ document }));
    let done: { document: TranscriptDocument } | undefined;
    while ((done = await firstOf(transcript, heartbeatMs)) === undefined) yield ': heartbeat\n\n';
    const { document } = done;
    for (const delta of spacedTexts(document)) yield event({ type: 'transcript.text.delta', delta });
    yield event({ type: 'transcript.text.done', text: document.text });
  } catch (error) {
    yield event(openAiRefusal(toServiceError(error)).body);
  }
}

/** What comes within the time; undefined when nothing does. */
async function firstOf<T>(coming: Promise<T>, withinMs: number): Promise<T | undefined> {
  const over = new AbortController();
  const timer = pause(withinMs, undefined, { signal: over.signal }).catch(() => undefined);
  return Promise.race([coming, timer]).finally(() => over.abort());
}

function event(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
