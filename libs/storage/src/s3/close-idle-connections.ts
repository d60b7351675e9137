import type { Agent } from 'node:http';
import type { S3Client } from '@aws-sdk/client-s3';

/**
 * A network that goes away without a word leaves connections behind that nobody answers on, and each next attempt of a
 * request would wait for one of them in turn. When one did not answer in time, those that are idle are given up with it:
 * the next attempt begins with a new one.
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
    // Behind the repeating of attempts, so that each of them comes by.
    { step: 'finalizeRequest', priority: 'low', name: 'closeIdleConnectionsOnTimeout' },
  );
}

function closeIdleSockets(agents: readonly Agent[]): void {
  for (const { freeSockets } of agents)
    for (const sockets of Object.values(freeSockets)) for (const socket of sockets ?? []) socket.destroy();
}
