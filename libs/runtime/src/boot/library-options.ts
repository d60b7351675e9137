import { join } from 'node:path';
import { Encryptor } from '@app/database';
import type { QueueMessageReport, JobsOptions } from '@app/jobs';
import type { StorageOptions } from '@app/storage';
import { toSimpleLogger } from '../log/logger.js';
import type { BootContext, BootSettings } from './boot.js';
import { deriveKey } from './service-secrets.js';

/** Where callers reach the API. */
export function resolvePublicUrl({ config }: Pick<BootSettings, 'config'>): string {
  const { publicUrl: configured, host, port } = config.api;
  return (configured ?? listenerUrl(host, port)).replace(/\/+$/, '');
}

/** Where the API answers health checks: past any proxy, where they have a port of their own. */
export function resolveHealthUrl(settings: Pick<BootSettings, 'config'>): string {
  const { healthPort, host, healthHost = host } = settings.config.api;
  return healthPort === undefined ? resolvePublicUrl(settings) : listenerUrl(healthHost, healthPort);
}

function listenerUrl(host: string, port: number): string {
  const shownHost = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${shownHost.includes(':') ? `[${shownHost}]` : shownHost}:${port}`;
}

/** The options of the libraries, from the configuration: S3 and Redis where they are configured, each on its own. */
export function buildStorageOptions(foundation: BootContext): StorageOptions {
  const { storage, service, api } = foundation.config;
  if (storage.s3Bucket !== undefined)
    return {
      kind: 's3',
      bucket: storage.s3Bucket,
      region: storage.s3Region,
      endpoint: storage.s3Endpoint,
      publicEndpoint: storage.s3PublicEndpoint,
      forcePathStyle: storage.s3ForcePathStyle,
      credentials:
        storage.s3AccessKeyId !== undefined && storage.s3SecretAccessKey !== undefined
          ? { accessKeyId: storage.s3AccessKeyId, secretAccessKey: storage.s3SecretAccessKey }
          : undefined,
      createBucket: true,
      corsOrigins: [...api.corsOrigins],
    };
  return {
    kind: 'files',
    root: join(service.dataDir, 'objects'),
    publicUrl: resolvePublicUrl(foundation),
    signingKeys: foundation.keys('address-signing').map((key) => ({ id: URL_SIGNING_KEY_ID, key })),
    onUnreadable: (key, error) =>
      foundation.logger.warn(
        { key, error },
        'an object or upload is skipped, because its record cannot be read',
      ),
  };
}

/** Stands in every address, whichever of the keys signed it: versions that knew one key only take no other id. */
const URL_SIGNING_KEY_ID = 'k1';

/** Of all that is kept secret at rest. The first configured key seals, else one of `SERVICE_SECRET`; all others open. */
export function createSealer({ config, keys }: BootContext): Encryptor {
  const configured = config.service.encryptionKeys.map((text) => deriveKey(text, 'signing-secret'));
  const [ofService, ...ofFallbacks] = keys('signing-secret');
  const [current = ofService, ...retired] = [...configured, ofService, ...ofFallbacks];
  return new Encryptor(current, retired);
}

export function buildJobsOptions(
  foundation: BootContext,
  onMessageHandled?: (report: QueueMessageReport) => void,
): JobsOptions {
  const { queue } = foundation.config;
  const logger = toSimpleLogger(foundation.logger);
  return {
    logger,
    relayIntervalMs: 1_000,
    queue:
      queue.redisUrl === undefined
        ? { kind: 'postgres', connection: foundation.databaseUrl, logger, onMessageHandled }
        : {
            kind: 'redis',
            url: queue.redisUrl,
            prefix: queue.redisPrefix,
            logger,
            onMessageHandled,
          },
  };
}
