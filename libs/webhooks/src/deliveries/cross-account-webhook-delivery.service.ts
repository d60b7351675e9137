import { type DeliveryState, WebhookDelivery, type WebhookEventType } from '@app/database';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, LessThan, Repository } from 'typeorm';
import { listWebhookAttempts, type WebhookAttemptView } from './account-delivery.repository.js';
import { replayDelivery, replayFailedDeliveries } from './replay-delivery.repository.js';

/** All accounts only for the operator. */
export type WebhookDeliveryScope = { accountId: string } | 'every account';

export interface WebhookDeliveryView {
  id: string;
  accountId: string;
  /** Null for the event `test`. */
  jobId: string | null;
  /** Null for a callback URL. */
  endpointId: string | null;
  url: string;
  event: WebhookEventType;
  state: DeliveryState;
  attempts: number;
  /** Null if the delivery has ended. */
  nextAttemptAt: Date | null;
  createdAt: Date;
  finishedAt: Date | null;
}

export interface WebhookDeliveryPageRequest {
  /** 1 to 100; default 50. */
  limit?: number;
  /** Last delivery of the previous page. */
  before?: string;
  state?: DeliveryState;
}

const VIEW_COLUMNS = {
  id: true,
  accountId: true,
  jobId: true,
  endpointId: true,
  url: true,
  event: true,
  state: true,
  attempts: true,
  nextAttemptAt: true,
  createdAt: true,
  finishedAt: true,
} as const;

@Injectable()
export class CrossAccountWebhookDeliveryService {
  constructor(@InjectRepository(WebhookDelivery) private readonly deliveries: Repository<WebhookDelivery>) {}

  /** Newest first. */
  async listDeliveries(
    scope: WebhookDeliveryScope,
    { limit = 50, before, state }: WebhookDeliveryPageRequest = {},
  ): Promise<WebhookDeliveryView[]> {
    const accountId = accountIdOf(scope);
    const rows = await this.deliveries.find({
      select: VIEW_COLUMNS,
      where: {
        ...(accountId !== null && { accountId }),
        ...(before !== undefined && { id: LessThan(before) }),
        ...(state !== undefined && { state }),
      },
      order: { id: 'DESC' },
      take: Math.min(Math.max(limit, 1), 100),
    });
    return rows.map(({ nextAttemptAt, ...row }) => ({
      ...row,
      nextAttemptAt: row.state === 'pending' ? nextAttemptAt : null,
    }));
  }

  /** Oldest first; empty for a delivery outside the scope. */
  async listAttempts(scope: WebhookDeliveryScope, deliveryId: string): Promise<WebhookAttemptView[]> {
    return listWebhookAttempts(this.deliveries.manager, accountIdOf(scope), deliveryId);
  }

  /** Of any account. @returns null if there is no such delivery */
  find(deliveryId: string): Promise<Pick<WebhookDelivery, 'accountId' | 'state'> | null> {
    const select = { id: true, accountId: true, state: true };
    return this.deliveries.findOne({ select, where: { id: deliveryId } });
  }

  /**
   * Makes an ended delivery due with all its attempts, under its id. The body is built again, because its
   * download URL may have expired. @returns false if there is no such delivery, it has not ended, or its endpoint is
   * disabled or deleted
   */
  async replay(
    scope: WebhookDeliveryScope,
    deliveryId: string,
    db: EntityManager = this.deliveries.manager,
  ): Promise<boolean> {
    return replayDelivery(db, accountIdOf(scope), deliveryId);
  }

  /**
   * Replays all failed deliveries. @param since only those that failed then or later; null for all
   * @returns the number of replayed deliveries
   */
  async replayFailed(
    scope: WebhookDeliveryScope,
    since: Date | null,
    db: EntityManager = this.deliveries.manager,
  ): Promise<number> {
    const filter = { since, endpointId: null, limit: null };
    return replayFailedDeliveries(db, accountIdOf(scope), filter);
  }
}

function accountIdOf(scope: WebhookDeliveryScope): string | null {
  return scope === 'every account' ? null : scope.accountId;
}
