import { InvalidConfigError } from '@app/config';
import { isDatabaseUnavailable, getSqlState } from '@app/database';
import { describeError } from '../describe-error.js';
import { StartInterruptedError, watchForInterruption } from './start-interruption.js';

const RETRY_MS = 1_000;
const LOG_INTERVAL_MS = 5_000;
/** Invalid authorization, and an invalid catalog name: user, password or database are wrong. */
const REJECTED_SQLSTATES = /^(28\w{3}|3D000)$/;

export interface ConnectRetryOptions {
  /** Seconds for which Postgres is waited for; 0 tries once. */
  seconds: number;
  logger: { warn(details: object, message: string): void };
  /** @default RETRY_MS */
  retryMs?: number;
}

/**
 * Connects to a Postgres that may be starting itself: while it cannot be reached, a line every few seconds says so.
 *
 * @throws InvalidConfigError at once when the server refuses user, password or database
 * @throws StartInterruptedError when the program is told to stop meanwhile
 */
export async function connectWithRetry<T>(
  connect: () => Promise<T>,
  options: ConnectRetryOptions,
): Promise<T> {
  const { seconds, logger, retryMs = RETRY_MS } = options;
  const began = performance.now();
  const interruption = watchForInterruption();
  let logged = -Infinity;
  try {
    for (;;) {
      try {
        return await Promise.race([connect(), interruption.signalled]);
      } catch (error) {
        const waitedMs = performance.now() - began;
        if (error instanceof StartInterruptedError) throw error;
        if (REJECTED_SQLSTATES.test(getSqlState(error) ?? ''))
          throw new InvalidConfigError([`DATABASE_URL is refused by the server: ${describeError(error)}`]);
        if (seconds === 0 || !isDatabaseUnavailable(error)) throw error;
        if (waitedMs >= seconds * 1_000) throw connectTimeoutError(seconds, error);
        if (waitedMs - logged >= LOG_INTERVAL_MS) {
          logged = waitedMs;
          const waitedSeconds = Math.round(waitedMs / 1_000);
          logger.warn({ reason: describeError(error), waitedSeconds }, 'waiting for Postgres');
        }
      }
      await Promise.race([delay(retryMs), interruption.signalled]);
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

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
