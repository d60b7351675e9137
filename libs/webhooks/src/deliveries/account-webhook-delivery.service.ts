import { DecryptionError, inTransaction } from '@app/database';
import { ServiceError } from '@app/errors';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import {
  type AccountDeliveryFilter,
  findAccountDelivery,
  listAccountDeliveries,
  listEncryptedWebhookAttempts,
  type DeliveryWithLastAttempt,
  type EncryptedWebhookAttempt,
  type WebhookAttemptView,
} from './account-delivery.repository.js';
import { WebhookBodyEncryptor } from './webhook-body-encryptor.js';
import { replayDelivery, replayFailedDeliveries } from './replay-delivery.repository.js';
import type { WebhookExchange } from './webhook-exchange.js';

/** Attempts that are shown; a delivery that was replayed often has more. */
const MAX_ATTEMPTS_SHOWN = 50;

/** Deliveries that one request replays at most. */
const MAX_REPLAYED_AT_ONCE = 1_000;

export interface DecryptedWebhookAttempt extends WebhookAttemptView {
  /** Null once it has expired, and if it is unreadable. */
  exchange: WebhookExchange | null;
  /** Whether its encryption key is missing. */
  isUnreadable: boolean;
}

/** The deliveries of an account as its members see and replay them. */
@Injectable()
export class AccountWebhookDeliveryService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly bodies: WebhookBodyEncryptor,
  ) {}

  /** Newest first. @param page `before` is the last delivery of the page before */
  list(
    accountId: string,
    filter: AccountDeliveryFilter,
    page: { limit: number; before: string | null },
  ): Promise<DeliveryWithLastAttempt[]> {
    return listAccountDeliveries(this.dataSource, accountId, filter, page);
  }

  /** With the newest attempts first. @throws ServiceError `no_such_resource` */
  async read(
    accountId: string,
    deliveryId: string,
  ): Promise<{ delivery: DeliveryWithLastAttempt; attempts: DecryptedWebhookAttempt[] }> {
    const delivery = await this.get(accountId, deliveryId);
    const attempts = await listEncryptedWebhookAttempts(
      this.dataSource,
      accountId,
      deliveryId,
      MAX_ATTEMPTS_SHOWN,
    );
    return {
      delivery,
      attempts: attempts.map((attempt) => this.decrypt(deliveryId, attempt)),
    };
  }

  /** The other attempts are readable although the key of one is missing. */
  private decrypt(
    deliveryId: string,
    { keyId, sealed, ...attempt }: EncryptedWebhookAttempt,
  ): DecryptedWebhookAttempt {
    if (keyId === null) return { ...attempt, exchange: null, isUnreadable: false };
    try {
      const exchange = this.bodies.decryptExchange(deliveryId, attempt.number, { keyId, sealed });
      return { ...attempt, exchange, isUnreadable: false };
    } catch (error) {
      if (!(error instanceof DecryptionError)) throw error;
      return { ...attempt, exchange: null, isUnreadable: true };
    }
  }

  /**
   * Makes an ended delivery due with all its attempts, under its id.
   * @param record in the transaction of the replay
   * @throws ServiceError `no_such_resource`, or `conflict` if it is pending or its endpoint gets nothing
   */
  async replay(
    accountId: string,
    deliveryId: string,
    record: (tx: EntityManager) => Promise<void>,
  ): Promise<void> {
    await this.get(accountId, deliveryId);
    const isReplayed = await inTransaction(this.dataSource, async (tx) => {
      if (!(await replayDelivery(tx, accountId, deliveryId))) return false;
      await record(tx);
      return true;
    });
    if (isReplayed) return;
    // Read afterwards, because another replay may have come first.
    const { state, isReachable } = await this.get(accountId, deliveryId);
    throw new ServiceError('conflict', {
      detail:
        state === 'pending' || isReachable
          ? 'The delivery is still pending.'
          : 'Its endpoint is disabled or deleted.',
    });
  }

  /**
   * Replays the failed deliveries, those that failed first, whose endpoint is enabled, without test events.
   * @param endpointId null for all
   * @returns their number, and whether there are more
   */
  async replayFailed(
    accountId: string,
    endpointId: string | null,
    record: (tx: EntityManager, replayed: number) => Promise<void>,
  ): Promise<{ replayed: number; hasMore: boolean }> {
    return inTransaction(this.dataSource, async (tx) => {
      const filter = { since: null, endpointId, limit: MAX_REPLAYED_AT_ONCE };
      const replayed = await replayFailedDeliveries(tx, accountId, filter);
      if (replayed > 0) await record(tx, replayed);
      return { replayed, hasMore: replayed === MAX_REPLAYED_AT_ONCE };
    });
  }

  private async get(accountId: string, deliveryId: string): Promise<DeliveryWithLastAttempt> {
    const delivery = await findAccountDelivery(this.dataSource, accountId, deliveryId);
    if (!delivery)
      throw new ServiceError('no_such_resource', { detail: 'The account has no such webhook delivery.' });
    return delivery;
  }
}
