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
 * @throws the error of the last attempt when more than `maxRetries` connections in a row brought neither an event nor a heartbeat
 */
export async function* streamJobEvents(
  transport: HttpTransport,
  jobId: string,
  { lastEventId, signal }: StreamOptions,
): AsyncGenerator<JobStreamEvent, void, undefined> {
  let lastId = lastEventId;
  let failures = 0;
  for (;;) {
    let hasArrived = false;
    let delayMs: number | undefined;
    let end: unknown = new ConnectionError(`The stream of job ${jobId} ended without its last event.`);
    try {
      const request = createRequest(jobId, lastId, signal);
      const onHeartbeat = () => void (hasArrived = true);
      for await (const event of transport.streamOnce(request, SILENCE_MS, onHeartbeat)) {
        hasArrived = true;
        delayMs = event.retry;
        const parsed = parseJobEvent(event);
        if (parsed === undefined || isRepeated(parsed, lastId)) continue;
        lastId = parsed.id ?? lastId;
        yield parsed;
        if (parsed.event === 'completed' || parsed.event === 'failed') return;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!isRetryable(error)) throw error;
      end = error;
    }
    // A proxy may end every connection after a while, and a long job has hours without an event.
    failures = hasArrived ? 0 : failures + 1;
    if (failures > transport.maxRetries) throw end;
    await pause(delayMs ?? getRetryDelayMs(Math.max(0, failures - 1), end), signal);
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
