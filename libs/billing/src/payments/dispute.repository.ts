import { PaymentDispute } from '@app/database';
import { type DataSource, IsNull } from 'typeorm';

export type StoredPaymentDispute = Omit<PaymentDispute, 'account' | 'payment'>;

export interface DisputeFilter {
  accountId?: string | undefined;
  onlyOpen?: boolean;
  limit: number;
}

/** Newest first. */
export async function listDisputes(
  dataSource: DataSource,
  { accountId, onlyOpen = false, limit }: DisputeFilter,
): Promise<StoredPaymentDispute[]> {
  return dataSource.getRepository(PaymentDispute).find({
    where: { ...(accountId !== undefined && { accountId }), ...(onlyOpen && { closedAt: IsNull() }) },
    order: { createdAt: 'DESC', id: 'DESC' },
    take: limit,
  });
}
