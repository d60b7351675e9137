import { type DeliveryState, WebhookDelivery } from '@app/database';
import { type DataSource, LessThan } from 'typeorm';

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

/** `nextAttemptAt` is null if the delivery has ended. */
export type WebhookDeliveryView = Pick<
  WebhookDelivery,
  Exclude<keyof typeof VIEW_COLUMNS, 'nextAttemptAt'>
> & {
  nextAttemptAt: Date | null;
};

export interface WebhookDeliveryPageRequest {
  /** 1 to 100; default 50. */
  limit?: number;
  /** Last delivery of the previous page. */
  before?: string;
  state?: DeliveryState;
}

/** Newest first. @param accountId null for every account */
export async function listWebhookDeliveriesForOperator(
  dataSource: DataSource,
  accountId: string | null,
  { limit = 50, before, state }: WebhookDeliveryPageRequest = {},
): Promise<WebhookDeliveryView[]> {
  const rows = await dataSource.getRepository(WebhookDelivery).find({
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

/** Finds a delivery of any account. */
export function findWebhookDeliveryForOperator(
  dataSource: DataSource,
  id: string,
): Promise<Pick<WebhookDelivery, 'accountId' | 'state'> | null> {
  const select = { id: true, accountId: true, state: true };
  return dataSource.getRepository(WebhookDelivery).findOne({ select, where: { id } });
}
