import type { Agent, Dispatcher } from 'undici';
import { TimeoutAbortController } from './timeout-abort-controller.js';
import { fetchAudio, type FetchAudioOptions, type AudioFetchResponse } from './fetch-audio.js';
import { createGuardedAgent } from './guarded-agent.js';
import type { OutboundGuard } from './outbound-guard.js';
import { toOutboundRequestError } from './outbound-request-error.js';
import { sendAbortableRequest } from './send-abortable-request.js';
import { parseHttpUrl } from './target-host.js';

export interface OutboundRequest {
  url: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: Buffer;
  /** Covers lookup, connection and response. */
  timeoutMs: number;
  maxResponseBytes: number;
}

export interface OutboundResponse {
  status: number;
  /** Up to `maxResponseBytes`; shorter if the connection was lost. */
  body: Buffer;
}

/** Requests targets that the guard permits. `request` does not follow redirects. */
export class OutboundClient {
  private readonly dispatcher: Agent;

  constructor(guard: OutboundGuard, options: { connectTimeoutMs?: number } = {}) {
    this.dispatcher = createGuardedAgent(guard, { connectTimeoutMs: options.connectTimeoutMs ?? 10_000 });
  }

  /**
   * Resolves even if the body is incomplete or too long. @throws OutboundRequestError if no status arrives
   */
  async request({ url, maxResponseBytes, timeoutMs, ...rest }: OutboundRequest): Promise<OutboundResponse> {
    const deadline = new TimeoutAbortController(timeoutMs);
    try {
      const { statusCode, body } = await sendAbortableRequest(
        this.dispatcher,
        parseHttpUrl(url),
        rest,
        deadline.signal,
      );
      return { status: statusCode, body: await readBodyUpTo(body, maxResponseBytes) };
    } catch (error) {
      throw toOutboundRequestError(error);
    } finally {
      deadline.clear();
    }
  }

  async fetchAudio(url: string, options: FetchAudioOptions): Promise<AudioFetchResponse> {
    return fetchAudio(this.dispatcher, url, options);
  }

  async close(): Promise<void> {
    await this.dispatcher.destroy();
  }
}

async function readBodyUpTo(body: Dispatcher.ResponseData['body'], limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  body.on('error', () => {});
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, limit - size));
      size += chunk.length;
      if (size >= limit) break;
    }
  } catch {
    // The status is known; the rest of the body is not needed.
  }
  body.destroy();
  return Buffer.concat(chunks);
}
