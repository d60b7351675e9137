import { setTimeout as delay } from 'node:timers/promises';
import { InvalidConfigError } from '@app/config';
import { isDatabaseUnavailableError, getSqlState } from '@app/database';
import { describeError } from '@app/errors';
import { StartInterruptedError, watchForInterruption } from './start-interruption.js';

const RETRY_MS = 1_000;
const LOG_INTERVAL_MS = 5_000;
/** Invalid user, password or database. */
const REJECTED_SQLSTATES = /^(28\w{3}|3D000)$/;

export interface ConnectRetryOptions {
  /** 0 tries once. */
  maxWaitSeconds: number;
  logger: { warn(details: object, message: string): void };
  /** @default RETRY_MS */
  retryIntervalMs?: number;
}

/**
 * Waits for a Postgres that may still be starting.
 * @throws InvalidConfigError at once if the server rejects user, password or database
 * @throws StartInterruptedError if the program is stopped meanwhile
 */
export async function connectToPostgresWithRetry<T>(
  connect: () => Promise<T>,
  options: ConnectRetryOptions,
): Promise<T> {
  const { maxWaitSeconds, logger, retryIntervalMs = RETRY_MS } = options;
  const startedAt = performance.now();
  const interruption = watchForInterruption();
  let loggedAtMs = -Infinity;
  try {
    for (;;) {
      try {
        return await Promise.race([connect(), interruption.signalled]);
      } catch (error) {
        const waitedMs = performance.now() - startedAt;
        if (error instanceof StartInterruptedError) throw error;
        if (REJECTED_SQLSTATES.test(getSqlState(error) ?? ''))
          throw new InvalidConfigError([`DATABASE_URL is refused by the server: ${describeError(error)}`]);
        if (maxWaitSeconds === 0 || !isDatabaseUnavailableError(error)) throw error;
        if (waitedMs >= maxWaitSeconds * 1_000) throw connectTimeoutError(maxWaitSeconds, error);
        if (waitedMs - loggedAtMs >= LOG_INTERVAL_MS) {
          loggedAtMs = waitedMs;
          const waitedSeconds = Math.round(waitedMs / 1_000);
          logger.warn({ reason: describeError(error), waitedSeconds }, 'waiting for Postgres');
        }
      }
      await Promise.race([delay(retryIntervalMs), interruption.signalled]);
    }
  } finally {
    interruption.dispose();
  }
}

function connectTimeoutError(seconds: number, error: unknown): Error {
  return new Error(
    `Postgres could not be reached for ${seconds} seconds (${describeError(error)}): check DATABASE_URL and that the server runs. STARTUP_WAIT_SECONDS sets how long a start waits.`,
  );
}
