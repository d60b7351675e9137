import { setTimeout as pause } from 'node:timers/promises';
import { isDatabaseUnavailableError } from '@app/database';

const RETRY_MS = 250;

/**
 * A short outage must not undo hours of work. After `stop` is aborted, the next failure is final.
 * @param onUnavailable called after each failure that is not final
 */
export async function retryWhileDatabaseUnavailable<T>(
  work: () => Promise<T>,
  stop: AbortSignal,
  onUnavailable: () => void = () => undefined,
): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (stop.aborted || !isDatabaseUnavailableError(error)) throw error;
      onUnavailable();
      await pause(RETRY_MS, undefined, { signal: stop }).catch(() => undefined);
    }
  }
}
