import type { Agent } from 'undici';
import { Deadline } from './deadline.js';
import { fetchAudio, type FetchAudioOptions, type FetchedAudio } from './fetch-audio.js';
import { createGuardedAgent } from './guarded-agent.js';
import type { OutboundGuard } from './outbound-guard.js';
import { toOutboundRequestError } from './outbound-request-error.js';
import { type OutboundResponseData, sendRequest } from './send-request.js';
import { parseHttpUrl } from './request-target.js';

export interface OutboundRequest {
  url: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: Buffer;
  /** Milliseconds for everything: look-up, connection, answer. */
  timeoutMs: number;
  /** Bytes of the answer that are kept. */
  maxResponseBytes: number;
}

export interface OutboundResponse {
  status: number;
  /** As far as it came and fits. */
  body: Buffer;
}

/** Requests on behalf of callers, to where the guard lets them. Redirects are answers, never followed. */
export class OutboundClient {
  private readonly dispatcher: Agent;

  constructor(guard: OutboundGuard, options: { connectTimeoutMs?: number } = {}) {
    this.dispatcher = createGuardedAgent(guard, { connectTimeoutMs: options.connectTimeoutMs ?? 10_000 });
  }

  /**
   * One request. The status is what counts: a body that breaks off or is too long does not undo it.
   * @throws OutboundRequestError when no status came
   */
  async request({ url, maxResponseBytes, timeoutMs, ...rest }: OutboundRequest): Promise<OutboundResponse> {
    const deadline = new Deadline(timeoutMs);
    try {
      const answer = await sendRequest(this.dispatcher, parseHttpUrl(url), rest, deadline.signal);
      return { status: answer.statusCode, body: await readBodyUpTo(answer.body, maxResponseBytes) };
    } catch (error) {
      throw toOutboundRequestError(error);
    } finally {
      deadline.clear();
    }
  }

  /** See `fetchAudio`. */
  async fetchAudio(url: string, options: FetchAudioOptions): Promise<FetchedAudio> {
    return fetchAudio(this.dispatcher, url, options);
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    await this.dispatcher.destroy();
  }
}

async function readBodyUpTo(body: OutboundResponseData['body'], limit: number): Promise<Buffer> {
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
    // The status has come; what is missing of the body is not missed.
  }
  body.destroy();
  return Buffer.concat(chunks);
}
