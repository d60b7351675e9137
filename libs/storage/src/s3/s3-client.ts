import { Agent as HttpAgent, type Agent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { S3Client } from '@aws-sdk/client-s3';
import { limitWaitForErrorBodies } from './s3-download.js';
import { replaceChecksumsByContentMd5 } from './s3-content-md5.js';
import type { S3StoreOptions } from './s3-store-options.js';

/** Without a limit of sockets: the SDK counts the wait for one as part of the time to connect. */
const AGENT_OPTIONS = { keepAlive: true };

const CONNECT_TIMEOUT_MS = 3_000;
const IDLE_TIMEOUT_MS = 20_000;

export function resolveS3IdleTimeoutMs({ idleTimeoutMs = IDLE_TIMEOUT_MS }: S3StoreOptions): number {
  return idleTimeoutMs;
}

/** @param endpoint undefined uses the AWS endpoint of the region */
export function createS3Client(options: S3StoreOptions, endpoint: string | undefined): S3Client {
  return buildClient(options, endpoint, { socketTimeout: resolveS3IdleTimeoutMs(options) });
}

/**
 * For `GetObject`: limits the wait for the response, and for the body of an error; `S3Download` limits that for the
 * object, whose slow reader holds the connection.
 */
export function createS3DownloadClient(options: S3StoreOptions): S3Client {
  const timeouts = {
    socketTimeout: 0,
    requestTimeout: resolveS3IdleTimeoutMs(options),
    throwOnRequestTimeout: true,
  };
  const client = buildClient(options, options.endpoint, timeouts);
  limitWaitForErrorBodies(client, timeouts.requestTimeout);
  return client;
}

function buildClient(
  options: S3StoreOptions,
  endpoint: string | undefined,
  timeouts: { socketTimeout: number; requestTimeout?: number; throwOnRequestTimeout?: boolean },
): S3Client {
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
      connectionTimeout: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
      ...timeouts,
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
