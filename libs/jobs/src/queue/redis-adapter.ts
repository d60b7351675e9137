import { createRedisBackend } from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';
import type { QueueOutageLog } from './queue-outage-log.js';
import type { QueueTimings, RedisQueueOptions } from './queue-options.js';
import type { QueueServerAdapter } from './queue-server-connection.js';

const MAX_RETRY_DELAY_MS = 1_000;
const SOCKET_TIMEOUT_MARGIN_MS = 100;
/** Message of the server for a database number beyond its `databases`. */
const UNKNOWN_DATABASE = 'DB index is out of range';

export function createRedisQueueAdapter(
  options: RedisQueueOptions,
  timings: QueueTimings,
  outage: QueueOutageLog,
): QueueServerAdapter {
  const common = {
    connectTimeout: timings.callTimeoutMs,
    keepAlive: 10_000,
    retryStrategy: (attempt: number) => Math.min(attempt * 100, MAX_RETRY_DELAY_MS),
  } satisfies RedisOptions;
  const client = new Redis(options.url, {
    ...common,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    commandTimeout: timings.callTimeoutMs,
    // If the peer disappears, the command times out before the connection.
    socketTimeout: timings.callTimeoutMs + SOCKET_TIMEOUT_MARGIN_MS,
  });
  client.on('error', (error) => {
    outage.reportDown(error);
    // Else the driver would go on with database 0, which may be that of another installation.
    if (error.message.includes(UNKNOWN_DATABASE)) client.disconnect();
  });
  client.on('ready', () => outage.reportRecovered());

  const blocking = {
    url: options.url,
    ...common,
    maxRetriesPerRequest: null,
    // Closes the connection if the peer disappears while a response is pending.
    socketTimeout: timings.idlePollMs + 5_000,
  };

  return {
    createBackend: (name, opts, flags) => {
      // Producers fail at once while the server is unavailable; workers wait.
      const connection = flags?.withBlockingConnection ? blocking : client;
      const ownOptions = { ...opts, connection, prefix: options.prefix ?? 'zephyr' };
      return createRedisBackend(name, ownOptions, flags);
    },
    ping: async () => {
      await waitUntilReady(client);
      await client.ping();
    },
    close: async () => client.disconnect(),
  };
}

/** A connecting new client is not an outage. */
async function waitUntilReady(client: Redis): Promise<void> {
  if (client.status !== 'connecting' && client.status !== 'connect') return;
  await new Promise<void>((resolve, reject) => {
    const settle = (error?: Error) => {
      client.off('ready', onReady).off('error', onError).off('close', onClose);
      if (error) reject(error);
      else resolve();
    };
    const onReady = () => settle();
    const onError = ({ message }: Error) => settle(new Error(`connection refused or lost: ${message}`));
    const onClose = () => settle(new Error('connection refused or lost'));
    client.on('ready', onReady).on('error', onError).on('close', onClose);
  });
}
