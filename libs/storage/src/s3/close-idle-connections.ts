import type { Agent } from 'node:http';
import type { S3Client } from '@aws-sdk/client-s3';

/**
 * After a silent network failure, each retry would wait for another dead connection. When a request times
 * out, this closes the idle ones, so that the retry opens a new connection.
 */
export function closeIdleConnectionsOnTimeout(client: S3Client, agents: readonly Agent[]): void {
  client.middlewareStack.add(
    (next) => async (input) => {
      try {
        return await next(input);
      } catch (error) {
        if (error instanceof Error && error.name === 'TimeoutError') closeIdleSockets(agents);
        throw error;
      }
    },
    // Inside the retry middleware, so that it runs for each attempt.
    { step: 'finalizeRequest', priority: 'low', name: 'closeIdleConnectionsOnTimeout' },
  );
}

function closeIdleSockets(agents: readonly Agent[]): void {
  for (const { freeSockets } of agents)
    for (const sockets of Object.values(freeSockets)) for (const socket of sockets ?? []) socket.destroy();
}
