import { join } from 'node:path';
import { describeError } from '@app/errors';
import type { QueueMessageReport, QueueAndOutboxModuleOptions } from '@app/jobs';
import type { StorageOptions } from '@app/storage';
import type { MailerOptions } from '../mail/mailer.js';
import { toSimpleLogger } from '../log/logger.js';
import type { BootContext, ConfigAndLogger } from './boot.js';

export function resolvePublicUrl({ config }: Pick<ConfigAndLogger, 'config'>): string {
  const { publicUrl: configured, host, port } = config.api;
  return (configured ?? listenerUrl(host, port)).replace(/\/+$/, '');
}

/** Bypasses any proxy if health checks have their own port. */
export function resolveApiHealthBaseUrl(settings: Pick<ConfigAndLogger, 'config'>): string {
  const { healthPort, host, healthHost = host } = settings.config.api;
  return healthPort === undefined ? resolvePublicUrl(settings) : listenerUrl(healthHost, healthPort);
}

function listenerUrl(host: string, port: number): string {
  const shownHost = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${shownHost.includes(':') ? `[${shownHost}]` : shownHost}:${port}`;
}

/** For `CardPayments`. @returns null unless Stripe is configured */
export function buildStripeOptions(context: Pick<ConfigAndLogger, 'config'>) {
  const { payments } = context.config;
  const { stripeSecretKey, stripeWebhookSecret, creditPrice } = payments;
  if (stripeSecretKey === undefined || stripeWebhookSecret === undefined || creditPrice === undefined)
    return null;
  return {
    secretKey: stripeSecretKey,
    webhookSecret: stripeWebhookSecret,
    apiUrl: payments.stripeApiUrl,
    checkoutHost:
      payments.stripeApiUrl === undefined ? payments.stripeCheckoutHost : new URL(payments.stripeApiUrl).host,
    timeoutMs: payments.stripeTimeoutSeconds * 1000,
    returnUrl: `${resolvePublicUrl(context)}/console/billing`,
    creditPrice,
    currency: payments.creditCurrency,
    packages: payments.creditPackages,
  };
}

/** For `Mailer`. @returns null: mail is not configured */
export function buildMailerOptions(context: Pick<ConfigAndLogger, 'config'>): MailerOptions | null {
  const { smtpUrl, from } = context.config.mail;
  if (smtpUrl === undefined) return null;
  return { smtpUrl, from: from ?? `zephyr@${new URL(resolvePublicUrl(context)).hostname}` };
}

export function buildStorageOptions(context: BootContext): StorageOptions {
  const { storage, service, api } = context.config;
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
      // The console sends audio from its own origin.
      corsOrigins: [...new Set([...api.corsOrigins, new URL(resolvePublicUrl(context)).origin])],
      onRuleRefused: (warning, error) => context.logger.warn({ reason: describeError(error) }, warning),
    };
  return {
    kind: 'files',
    root: join(service.dataDir, 'objects'),
    publicUrl: resolvePublicUrl(context),
    signingKeys: context.deriveKeys('address-signing').map((key) => ({ id: URL_SIGNING_KEY_ID, key })),
    onUnreadable: (key, error) =>
      context.logger.warn(
        { key, error },
        'an object or upload is skipped, because its record cannot be read',
      ),
  };
}

/** In every URL, whichever key signed it, because older versions accept only this id. */
const URL_SIGNING_KEY_ID = 'k1';

export function buildQueueAndOutboxModuleOptions(
  context: BootContext,
  onMessageHandled?: (report: QueueMessageReport) => void,
): QueueAndOutboxModuleOptions {
  const { queue } = context.config;
  const logger = toSimpleLogger(context.logger);
  return {
    logger,
    relayIntervalMs: 1_000,
    queue:
      queue.redisUrl === undefined
        ? { kind: 'postgres', connection: context.databaseUrl, logger, onMessageHandled }
        : {
            kind: 'redis',
            url: queue.redisUrl,
            prefix: queue.redisPrefix,
            logger,
            onMessageHandled,
          },
  };
}
