import { Agent as HttpAgent, type Agent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { S3Client } from '@aws-sdk/client-s3';
import { replaceChecksumsByContentMd5 } from './s3-content-md5.js';
import type { S3StoreOptions } from './s3-store-options.js';

const AGENT_OPTIONS = { keepAlive: true, maxSockets: 64 };

/** @param endpoint undefined uses the AWS endpoint of the region */
export function createS3Client(options: S3StoreOptions, endpoint: string | undefined): S3Client {
  const [httpAgent, httpsAgent] = [new HttpAgent(AGENT_OPTIONS), new HttpsAgent(AGENT_OPTIONS)];
  const client = new S3Client({
    region: options.region,
    endpoint,
    forcePathStyle: options.forcePathStyle,
    credentials: options.credentials,
    maxAttempts: options.maxAttempts ?? 3,
    // Any other value signs the checksum of an empty body into presigned PUTs.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: options.connectTimeoutMs ?? 3_000,
      socketTimeout: options.idleTimeoutMs ?? 20_000,
      httpAgent,
      httpsAgent,
    },
  });
  replaceChecksumsByContentMd5(client);
  closeIdleSocketsOnRequestTimeout(client, [httpAgent, httpsAgent]);
  return client;
}

/**
 * After a silent network failure, each retry would wait for another dead connection. When a request times
 * out, this closes the idle ones, so that the retry opens a new connection.
 */
export function closeIdleSocketsOnRequestTimeout(client: S3Client, agents: readonly Agent[]): void {
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
