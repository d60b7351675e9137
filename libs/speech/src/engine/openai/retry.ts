import { setTimeout as wait } from 'node:timers/promises';
import type { OpenAiOptions } from './openai-options.js';
import { isOutOfCredit } from './refusal.js';
import { type ServerAnswer, ServerTrouble } from './server.js';

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
/** What another try may change: the server is busy, starting, or not there for a moment. */
const PASSING = new Set([408, 409, 425, 429, 500, 502, 503, 504]);
/** What says so of the server, not of what it was sent. */
const AWAY = new Set([429, 503]);

/**
 * Tries until something comes of it.
 * @throws ServerTrouble of the last try; what else `attempt` throws, at once; the reason of the signal
 */
export async function withRetries<T>(
  { attempts, timeoutSeconds, firstDelayMs = FIRST_DELAY_MS }: OpenAiOptions,
  signal: AbortSignal,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ServerTrouble) || tried >= attempts) throw error;
      const asked = Math.min(error.waitSeconds ?? 0, timeoutSeconds) * 1000;
      await waitOr(signal, Math.max(asked, backoff(tried, firstDelayMs)));
    }
  }
}

/** @throws ServerTrouble when the answer says that it may be another one later */
export function refusePassing(answer: ServerAnswer): void {
  const { status, retryAfter, excerpt } = answer;
  if (answer.final || isOutOfCredit(answer)) return;
  if (PASSING.has(status) || status > 504)
    throw new ServerTrouble(`HTTP ${status}: ${excerpt}`, secondsOf(retryAfter), {}, AWAY.has(status));
}

/** Seconds of a `Retry-After`, which tells seconds or a date; null when it tells neither. */
export function secondsOf(retryAfter: string | null): number | null {
  if (retryAfter === null) return null;
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter);
  const moment = Date.parse(retryAfter);
  return Number.isNaN(moment) ? null : Math.max(0, (moment - Date.now()) / 1000);
}

/** Doubled each time, and up to a half more by chance, so that chunks that failed together part. */
function backoff(tried: number, firstDelayMs: number): number {
  return Math.min(firstDelayMs * 2 ** (tried - 1), LONGEST_DELAY_MS) * (1 + Math.random() / 2);
}

async function waitOr(signal: AbortSignal, ms: number): Promise<void> {
  await wait(ms, undefined, { signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw error;
  });
}
