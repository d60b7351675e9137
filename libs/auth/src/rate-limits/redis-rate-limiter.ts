import { createHash } from 'node:crypto';
import { Redis } from 'ioredis';
import {
  RATE_LIMIT_STORE_TIMEOUT_MS,
  type RateLimiter,
  type RateLimitResult,
  RATE_LIMIT_WINDOW_MS,
} from './rate-limiter.js';

/**
 * A bucket is a list of times in microseconds, newest first. Expired times are removed at the old end, so the
 * cost does not grow with the limit.
 */
const TAKE_SCRIPT = `
local window, limit = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local newest = tonumber(redis.call('LINDEX', KEYS[1], 0) or now)
if newest - now > window then
  -- The clock was set back by more than a window: earlier times are useless.
  redis.call('DEL', KEYS[1])
elseif newest > now then
  now = newest
end
local oldest = redis.call('LINDEX', KEYS[1], -1)
while oldest and tonumber(oldest) <= now - window do
  redis.call('RPOP', KEYS[1])
  oldest = redis.call('LINDEX', KEYS[1], -1)
end
local taken = redis.call('LLEN', KEYS[1])
local admitted = 0
if taken < limit then
  admitted = 1
  taken = taken + 1
  redis.call('LPUSH', KEYS[1], string.format('%.0f', now))
  redis.call('PEXPIRE', KEYS[1], math.ceil(window / 1000))
end
-- After a limit was lowered, the list may be longer than the limit: the last counted hit determines the reset.
local leaving = redis.call('LINDEX', KEYS[1], math.min(taken, limit) - 1)
return { admitted, math.max(limit - taken, 0), math.ceil((leaving + window - now) / 1000) }
`;

const TAKE_SCRIPT_SHA = createHash('sha1').update(TAKE_SCRIPT).digest('hex');
const MAX_RETRY_DELAY_MS = 1_000;
const SOCKET_TIMEOUT_MARGIN_MS = 100;

export interface RedisRateLimiterOptions {
  url: string;
  prefix: string;
  windowMs?: number;
  timeoutMs?: number;
}

/** Uses the clock of Redis. Reconnects automatically. */
export class RedisRateLimiter implements RateLimiter {
  private readonly client: Redis;

  constructor(private readonly options: RedisRateLimiterOptions) {
    const { url, timeoutMs = RATE_LIMIT_STORE_TIMEOUT_MS } = options;
    this.client = new Redis(url, {
      commandTimeout: timeoutMs,
      // Closes and reopens the connection of a dead peer soon after the command timed out.
      socketTimeout: timeoutMs + SOCKET_TIMEOUT_MARGIN_MS,
      maxRetriesPerRequest: 0,
      enableAutoPipelining: true,
      retryStrategy: (attempt) => Math.min(attempt * 100, MAX_RETRY_DELAY_MS),
    });
    // The failing calls report it; an unhandled error event would end the process.
    this.client.on('error', () => undefined);
  }

  async take(bucket: string, limit: number): Promise<RateLimitResult> {
    const { prefix, windowMs = RATE_LIMIT_WINDOW_MS } = this.options;
    const scriptArguments = [`${prefix}:rate:${bucket}`, windowMs * 1_000, limit] as const;
    const reply = await this.client
      .evalsha(TAKE_SCRIPT_SHA, 1, ...scriptArguments)
      .catch((error: unknown) =>
        isUnknownScript(error) ? this.client.eval(TAKE_SCRIPT, 1, ...scriptArguments) : rethrow(error),
      );
    const [admitted = 0, remaining = 0, resetMs = 0] = reply as number[];
    return { admitted: admitted === 1, remaining, resetMs };
  }

  async close(): Promise<void> {
    this.client.disconnect();
  }
}

/** Redis loses its scripts when it restarts. */
function isUnknownScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT');
}

function rethrow(error: unknown): never {
  throw error;
}
