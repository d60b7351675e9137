import { ConfigInvalid } from '@app/config';
import { isDatabaseUnavailable, getSqlState } from '@app/database';
import { reasonOf } from '../reason-of.js';
import { StartInterrupted, untilInterrupted } from './interruption.js';

const RETRY_MS = 1_000;
const LOG_EVERY_MS = 5_000;
/** Invalid authorization, and an invalid catalog name: user, password or database are wrong. */
const REFUSED = /^(28\w{3}|3D000)$/;

export interface WaitOptions {
  /** Seconds for which Postgres is waited for; 0 tries once. */
  seconds: number;
  logger: { warn(details: object, message: string): void };
  /** @default RETRY_MS */
  retryMs?: number;
}

/**
 * Connects to a Postgres that may be starting itself: while it cannot be reached, a line every few seconds says so.
 *
 * @throws ConfigInvalid at once when the server refuses user, password or database
 * @throws StartInterrupted when the program is told to stop meanwhile
 */
export async function awaitDatabase<T>(connect: () => Promise<T>, options: WaitOptions): Promise<T> {
  const { seconds, logger, retryMs = RETRY_MS } = options;
  const began = performance.now();
  const interruption = untilInterrupted();
  let logged = -Infinity;
  try {
    for (;;) {
      try {
        return await Promise.race([connect(), interruption.signalled]);
      } catch (error) {
        const waitedMs = performance.now() - began;
        if (error instanceof StartInterrupted) throw error;
        if (REFUSED.test(getSqlState(error) ?? ''))
          throw new ConfigInvalid([`DATABASE_URL is refused by the server: ${reasonOf(error)}`]);
        if (seconds === 0 || !isDatabaseUnavailable(error)) throw error;
        if (waitedMs >= seconds * 1_000) throw givenUp(seconds, error);
        if (waitedMs - logged >= LOG_EVERY_MS) {
          logged = waitedMs;
          const waitedSeconds = Math.round(waitedMs / 1_000);
          logger.warn({ reason: reasonOf(error), waitedSeconds }, 'waiting for Postgres');
        }
      }
      await Promise.race([pause(retryMs), interruption.signalled]);
    }
  } finally {
    interruption.dispose();
  }
}

function givenUp(seconds: number, error: unknown): Error {
  return new Error(
    `Postgres could not be reached for ${seconds} seconds (${reasonOf(error)}): check DATABASE_URL and that the server runs. STARTUP_WAIT_SECONDS sets how long a start waits.`,
  );
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
