import { ConnectionError } from '../errors.js';
import type { ApiRequest, HttpTransport } from '../http/http-transport.js';
import { pause } from '../http/pause.js';
import { getRetryDelayMs, isRetryable } from '../http/retry.js';
import type { JobStreamEvent, SignalOptions } from '../types.js';
import type { ServerSentEvent } from './server-sent-events.js';

/** The service sends a heartbeat every 15 seconds. */
const SILENCE_MS = 45_000;
const KNOWN_EVENTS = new Set(['waiting', 'progress', 'completed', 'failed']);

export interface StreamOptions extends SignalOptions {
  /** Returns only what follows this event. */
  lastEventId?: string;
}

/**
 * The events of a job to its end, each once. Connects again with the last id when the connection ends early.
 * @throws the error of the last attempt when `maxRetries` connections in a row brought no event
 */
export async function* streamJobEvents(
  transport: HttpTransport,
  jobId: string,
  { lastEventId, signal }: StreamOptions,
): AsyncGenerator<JobStreamEvent, void, undefined> {
  let lastId = lastEventId;
  let failures = 0;
  for (;;) {
    let delayMs: number | undefined;
    try {
      for await (const event of transport.streamOnce(createRequest(jobId, lastId, signal), SILENCE_MS)) {
        failures = 0;
        delayMs = event.retry;
        const parsed = parseJobEvent(event);
        if (parsed === undefined || isRepeated(parsed, lastId)) continue;
        lastId = parsed.id ?? lastId;
        yield parsed;
        if (parsed.event === 'completed' || parsed.event === 'failed') return;
      }
      if (failures++ >= transport.maxRetries)
        throw new ConnectionError(`The stream of job ${jobId} ended without its last event.`);
    } catch (error) {
      signal?.throwIfAborted();
      if (!isRetryable(error) || failures >= transport.maxRetries) throw error;
      delayMs = getRetryDelayMs(failures++, error);
    }
    await pause(delayMs ?? getRetryDelayMs(Math.max(0, failures - 1), undefined), signal);
  }
}

function createRequest(jobId: string, lastId: string | undefined, signal?: AbortSignal): ApiRequest {
  return {
    method: 'GET',
    path: `api/v1/jobs/${encodeURIComponent(jobId)}/stream`,
    headers: {
      accept: 'text/event-stream',
      ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
    },
    signal,
  };
}

/** @returns undefined for events that this version does not know */
function parseJobEvent({ event, id, data }: ServerSentEvent): JobStreamEvent | undefined {
  if (!KNOWN_EVENTS.has(event)) return undefined;
  return { event, ...(id === undefined ? {} : { id }), data: JSON.parse(data) } as JobStreamEvent;
}

/** The end of a job is sent again to whoever asks for what follows it. */
function isRepeated({ event, id }: JobStreamEvent, lastId: string | undefined): boolean {
  return event === 'progress' && id !== undefined && lastId !== undefined && Number(id) <= Number(lastId);
}
