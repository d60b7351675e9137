import { type DeliveryState, WebhookDelivery } from '@app/database';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, Repository } from 'typeorm';
import {
  type AttemptView,
  findAttempts,
  replayDelivery,
  replayFailedDeliveries,
} from './webhook-delivery.repository.js';

/** Whose deliveries: one account's, or, for the operator only, everybody's. */
export type DeliveryScope = { accountId: string } | 'every account';

export interface DeliveryView {
  id: string;
  accountId: string;
  jobId: string;
  url: string;
  event: 'completed' | 'failed';
  state: DeliveryState;
  attempts: number;
  /** Null once the delivery has ended. */
  nextAttemptAt: Date | null;
  createdAt: Date;
  finishedAt: Date | null;
}

export interface DeliveryPage {
  /** 1 to 100; default 50. */
  limit?: number;
  /** Id of the last delivery of the page before. */
  before?: string;
  state?: DeliveryState;
}

const VIEWED = {
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

/** What was sent, what is owed, and the way to send it again. */
@Injectable()
export class WebhookDeliveries {
  constructor(@InjectRepository(WebhookDelivery) private readonly deliveries: Repository<WebhookDelivery>) {}

  /** Newest first. */
  async listDeliveries(
    scope: DeliveryScope,
    { limit = 50, before, state }: DeliveryPage = {},
  ): Promise<DeliveryView[]> {
    const accountId = accountIdOf(scope);
    const rows = await this.deliveries.find({
      select: VIEWED,
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

  /** Oldest first; none for a delivery that is not in the scope. */
  async listAttempts(scope: DeliveryScope, deliveryId: string): Promise<AttemptView[]> {
    return findAttempts(this.deliveries.manager, accountIdOf(scope), deliveryId);
  }

  /** For the operator. @returns null when there is no such delivery */
  async findState(deliveryId: string): Promise<DeliveryState | null> {
    const delivery = await this.deliveries.findOne({
      select: { id: true, state: true },
      where: { id: deliveryId },
    });
    return delivery?.state ?? null;
  }

  /**
   * Makes an ended delivery due at once, with all attempts before it again. It keeps its id; the body is composed
   * anew, as the download address in the old one may have expired.
   * @returns false when there is no such delivery or it has not ended
   */
  async replay(scope: DeliveryScope, deliveryId: string): Promise<boolean> {
    return replayDelivery(this.deliveries.manager, accountIdOf(scope), deliveryId);
  }

  /**
   * The same for all that failed for good, as after an outage of their receiver.
   * @param since only those that failed then or later; null for all
   * @returns how many
   */
  async replayFailed(scope: DeliveryScope, since: Date | null): Promise<number> {
    return replayFailedDeliveries(this.deliveries.manager, accountIdOf(scope), since);
  }
}

function accountIdOf(scope: DeliveryScope): string | null {
  return scope === 'every account' ? null : scope.accountId;
}
