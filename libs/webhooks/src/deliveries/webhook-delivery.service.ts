import { type DeliveryState, WebhookDelivery } from '@app/database';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, Repository } from 'typeorm';
import {
  type WebhookAttemptView,
  listAttempts,
  replayDelivery,
  replayFailedDeliveries,
} from './webhook-delivery.repository.js';

/** All accounts only for the operator. */
export type WebhookDeliveryScope = { accountId: string } | 'every account';

export interface WebhookDeliveryView {
  id: string;
  accountId: string;
  jobId: string;
  url: string;
  event: 'completed' | 'failed';
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
  url: true,
  event: true,
  state: true,
  attempts: true,
  nextAttemptAt: true,
  createdAt: true,
  finishedAt: true,
} as const;

@Injectable()
export class WebhookDeliveryService {
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
    return listAttempts(this.deliveries.manager, accountIdOf(scope), deliveryId);
  }

  /** Of any account. @returns null if there is no such delivery */
  async findState(deliveryId: string): Promise<DeliveryState | null> {
    const delivery = await this.deliveries.findOne({
      select: { id: true, state: true },
      where: { id: deliveryId },
    });
    return delivery?.state ?? null;
  }

  /**
   * Makes an ended delivery due with all its attempts, under its id. The body is built again, because its
   * download URL may have expired. @returns false if there is no such delivery or it has not ended
   */
  async replay(scope: WebhookDeliveryScope, deliveryId: string): Promise<boolean> {
    return replayDelivery(this.deliveries.manager, accountIdOf(scope), deliveryId);
  }

  /**
   * Replays all failed deliveries. @param since only those that failed then or later; null for all
   * @returns the number of replayed deliveries
   */
  async replayFailed(scope: WebhookDeliveryScope, since: Date | null): Promise<number> {
    return replayFailedDeliveries(this.deliveries.manager, accountIdOf(scope), since);
  }
}

function accountIdOf(scope: WebhookDeliveryScope): string | null {
  return scope === 'every account' ? null : scope.accountId;
}
