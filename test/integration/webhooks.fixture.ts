import { randomBytes } from 'node:crypto';
import { createDataSource, inTransaction, queryRows, Encryptor } from '@app/database';
import {
  createJobAndEnqueueIfUrl,
  DEFAULT_JOB_OPTIONS,
  buildFailedOutcome,
  endJob,
  type JobHooks,
  type JobOutcome,
} from '@app/jobs';
import { OutboundClient, OutboundGuard } from '@app/outbound';
import {
  AccountWebhookDeliveryService,
  listWebhookDeliveriesForOperator,
  type WebhookDeliveryView,
  WebhookDispatcher,
  type WebhookDispatcherOptions,
  WebhookBodyEncryptor,
  WebhookSigningSecretService,
  WebhookEndpointService,
  WebhookJobHooks,
} from '@app/webhooks';
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { createMigratedDatabase } from '../support/migrated-database.js';

const hooks: JobHooks = {
  canAfford: async () => true,
  holdCredits: async () => true,
  holdCreditsOrFailCommit: async () => undefined,
  computeCharge: async () => null,
  onJobEnd: (tx, job) => new WebhookJobHooks().onJobEnd(tx, job),
};

export const COMPLETED: JobOutcome = { status: 'completed', resultKey: 'results/a.json' };
export const FAILED: JobOutcome = buildFailedOutcome('preprocess', 'The file is no “audio”.');

/** A database with one account, and everything that a webhook needs except its receiver. */
export class WebhookFixture {
  readonly key = randomBytes(32);
  readonly warnings: unknown[] = [];
  readonly secrets: WebhookSigningSecretService;
  readonly endpoints: WebhookEndpointService;
  readonly log: AccountWebhookDeliveryService;
  private readonly clients: OutboundClient[] = [];

  private constructor(
    readonly url: string,
    readonly dataSource: DataSource,
    readonly accountId: string,
    private readonly drop: () => Promise<void>,
  ) {
    this.secrets = new WebhookSigningSecretService(dataSource, new Encryptor(this.key));
    this.endpoints = new WebhookEndpointService(dataSource, new OutboundGuard({ allow: ['127.0.0.1'] }));
    this.log = new AccountWebhookDeliveryService(
      dataSource,
      new WebhookBodyEncryptor(dataSource, new Encryptor(this.key)),
    );
  }

  static async open(): Promise<WebhookFixture> {
    const { url, drop } = await createMigratedDatabase();
    const dataSource = await createDataSource({ url, poolSize: 8, applicationName: 'test' }).initialize();
    return new WebhookFixture(url, dataSource, await openAccount(dataSource), drop);
  }

  async close(): Promise<void> {
    await Promise.all(this.clients.map((client) => client.close()));
    await this.dataSource.destroy();
    await this.drop();
  }

  /** Deletes all deliveries and endpoints. */
  async clear(): Promise<void> {
    await this.dataSource.query('DELETE FROM webhook_delivery');
    await this.dataSource.query('DELETE FROM webhook_endpoint');
  }

  anotherAccount(): Promise<string> {
    return openAccount(this.dataSource);
  }

  /** Creates and ends a job with a webhook. */
  async endedJob(
    callbackUrl: string | null,
    outcome: JobOutcome = COMPLETED,
    accountId = this.accountId,
  ): Promise<string> {
    return inTransaction(this.dataSource, async (tx) => {
      const jobId = await createJobAndEnqueueIfUrl(tx, {
        accountId,
        source: 'upload',
        options: { ...DEFAULT_JOB_OPTIONS, callback_url: callbackUrl },
        audioUrl: null,
        contentType: 'audio/wav',
        uploadSeconds: 60,
        deadlineSeconds: 60,
      });
      await endJob(tx, hooks, jobId, outcome);
      return jobId;
    });
  }

  dispatcher(more: Partial<WebhookDispatcherOptions> = {}): WebhookDispatcher {
    const client = new OutboundClient(new OutboundGuard({ allow: ['127.0.0.1'] }));
    this.clients.push(client);
    return new WebhookDispatcher({
      dataSource: this.dataSource,
      client,
      secrets: this.secrets,
      bodies: new WebhookBodyEncryptor(this.dataSource, new Encryptor(this.key)),
      createDownloadUrl: async ({ id, resultKey }) => `https://store.example/${resultKey}?job=${id}`,
      logger: { warn: (_, context) => void this.warnings.push(context) },
      concurrency: 32,
      backoffSeconds: [0, 0, 0],
      ...more,
    });
  }

  async deliveryOf(jobId: string): Promise<WebhookDeliveryView> {
    const all = await listWebhookDeliveriesForOperator(this.dataSource, null, { limit: 100 });
    const found = all.find((delivery) => delivery.jobId === jobId);
    if (!found) throw new Error(`no delivery for job ${jobId}`);
    return found;
  }

  /** Number of leased deliveries of an account. */
  async underWay(accountId: string): Promise<number> {
    const leased = await queryRows(
      this.dataSource,
      'SELECT FROM webhook_delivery WHERE account_id = $1 AND lease_until > now()',
      [accountId],
    );
    return leased.length;
  }

  /** Makes every pending delivery due. */
  async makeDue(): Promise<void> {
    await this.dataSource.query(
      `UPDATE webhook_delivery SET next_attempt_at = now() WHERE state = 'pending'`,
    );
  }

  /** Expires the leases of dead dispatchers. */
  async endLeases(): Promise<void> {
    await this.dataSource.query('UPDATE webhook_delivery SET lease_until = now() WHERE lease_until > now()');
  }
}

async function openAccount(dataSource: DataSource): Promise<string> {
  const [row] = await queryRows<{ id: string }>(
    dataSource,
    `INSERT INTO account (id, name) VALUES ($1, 'test') RETURNING id`,
    [uuidv7()],
  );
  if (!row) throw new Error('no account');
  return row.id;
}
