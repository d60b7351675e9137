import { purgeExpiredAuthRecords } from '@app/auth';
import { purgeExpiredPreviousSigningSecrets, purgeOldWebhookExchangesAndTests } from '@app/webhooks';
import type { DataSource } from 'typeorm';
import { deleteUnusedEndpointsOfEndedAccounts } from './ended-account.repository.js';
import { purgeExpiredIdempotencyKeys } from './expired-idempotency-key.repository.js';

/** Deletes rows that no longer have an effect. @returns true if there may be more */
type Purge = () => Promise<boolean | void>;

/** The purges by what they delete. */
export function createPurges(dataSource: DataSource, webhookAttemptDays: number): Record<string, Purge> {
  return {
    'idempotency keys': () => purgeExpiredIdempotencyKeys(dataSource),
    'previous signing secrets': async () => void (await purgeExpiredPreviousSigningSecrets(dataSource)),
    'requests and responses of webhooks': () =>
      purgeOldWebhookExchangesAndTests(dataSource, webhookAttemptDays),
    'webhook endpoints of ended accounts': () => deleteUnusedEndpointsOfEndedAccounts(dataSource),
    'expired sign-ins': async () => void (await purgeExpiredAuthRecords(dataSource)),
  };
}
