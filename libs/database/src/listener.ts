import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool } from 'pg';

export interface ListenerEvents {
  /** With the payload of each announcement. */
  heard: (payload: string) => void;
  /** Once, when the connection broke or fell silent; the listener is closed then. */
  lost: (error: Error) => void;
}

export interface ListenerTimings {
  /** Milliseconds between two questions whether the connection still stands. */
  beatMs: number;
  /** Milliseconds that an answer may take. */
  answerMs: number;
}

export interface Listener {
  close(): void;
}

/** A connection that is cut without a word says nothing for ever: only asking tells. */
const TIMINGS: ListenerTimings = { beatMs: 10_000, answerMs: 5_000 };

/**
 * Takes one connection out of the pool to hear the announcements of a channel; whatever happens to it, it is given
 * back once. Events are told in the caller's async context, not in that of the request that opened the connection.
 */
export async function openListener(
  pool: Pool,
  channel: string,
  { heard, lost }: ListenerEvents,
  { beatMs, answerMs }: ListenerTimings = TIMINGS,
): Promise<Listener> {
  const client = await pool.connect();
  let beat: NodeJS.Timeout | undefined;
  let closed = false;

  const close = (error?: Error): boolean => {
    if (closed) return false;
    closed = true;
    clearTimeout(beat);
    client.release(error ?? true);
    return true;
  };
  const ask = async (sql: string): Promise<void> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('the connection fell silent')), answerMs);
    });
    await Promise.race([client.query(sql), late]).finally(() => clearTimeout(timer));
  };

  const tell = AsyncLocalStorage.bind(heard);
  client.on('notification', ({ payload }) => closed || tell(payload ?? ''));
  const broken = new Promise<never>((_, reject) => {
    client.once('error', reject);
    client.once('end', () => reject(new Error('the connection ended')));
  });
  const fail = (error: Error) => void (close(error) && lost(error));
  try {
    await Promise.race([ask(`LISTEN ${channel}`), broken]);
  } catch (error) {
    broken.catch(() => undefined);
    close(error as Error);
    throw error;
  }
  broken.catch(fail);
  const watch = () => {
    if (!closed) beat = setTimeout(() => void ask('SELECT 1').then(watch, fail), beatMs);
  };
  watch();
  return { close: () => void close() };
}
