import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { S3Client } from '@aws-sdk/client-s3';
import { closeIdleConnectionsOnTimeout } from './close-idle-connections.js';
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
  closeIdleConnectionsOnTimeout(client, [httpAgent, httpsAgent]);
  return client;
}
