import { AsyncLocalStorage } from 'node:async_hooks';
import pTimeout from 'p-timeout';
import type { Pool } from 'pg';

export interface NotificationListenerCallbacks {
  onNotification: (payload: string) => void;
  /** Called once, when the connection is lost or does not respond; the listener is then closed. */
  onConnectionLost: (error: Error) => void;
}

export interface NotificationListenerTimings {
  pingIntervalMs: number;
  /** For a ping. */
  responseTimeoutMs: number;
}

export interface ListenConnection {
  close(): void;
}

/** Only a ping detects a connection whose peer has disappeared. */
const TIMINGS: NotificationListenerTimings = { pingIntervalMs: 10_000, responseTimeoutMs: 5_000 };

/**
 * Takes one connection of the pool and releases it exactly once. Callbacks run in the async context of the
 * caller, not of the request that opened the connection.
 */
export async function openListenConnection(
  pool: Pool,
  channel: string,
  { onNotification, onConnectionLost }: NotificationListenerCallbacks,
  { pingIntervalMs, responseTimeoutMs }: NotificationListenerTimings = TIMINGS,
): Promise<ListenConnection> {
  const client = await pool.connect();
  let pingTimer: NodeJS.Timeout | undefined;
  let closed = false;

  const close = (error?: Error): boolean => {
    if (closed) return false;
    closed = true;
    clearTimeout(pingTimer);
    client.release(error ?? true);
    return true;
  };
  const queryWithTimeout = async (sql: string): Promise<void> => {
    const message = new Error('the connection does not respond');
    await pTimeout(client.query(sql), { milliseconds: responseTimeoutMs, message });
  };

  const notify = AsyncLocalStorage.bind(onNotification);
  client.on('notification', ({ payload }) => closed || notify(payload ?? ''));
  const connectionFailure = new Promise<never>((_, reject) => {
    client.once('error', reject);
    client.once('end', () => reject(new Error('the connection ended')));
  });
  const fail = (error: Error) => void (close(error) && onConnectionLost(error));
  try {
    await Promise.race([queryWithTimeout(`LISTEN ${channel}`), connectionFailure]);
  } catch (error) {
    connectionFailure.catch(() => undefined);
    close(error as Error);
    throw error;
  }
  connectionFailure.catch(fail);
  const schedulePing = () => {
    if (!closed)
      pingTimer = setTimeout(
        () => void queryWithTimeout('SELECT 1').then(schedulePing, fail),
        pingIntervalMs,
      );
  };
  schedulePing();
  return { close: () => void close() };
}
