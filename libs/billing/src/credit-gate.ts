import { ServiceError } from '@app/errors';
import type { DataSource } from 'typeorm';
import { balanceOf } from './ledger.js';

/**
 * Who may create jobs: an account with credit left. Asked before a job's transaction and outside of it, as the answer
 * locks nothing and may take its time: what a job really costs is held when its length is known.
 */
export class CreditGate {
  constructor(
    private readonly dataSource: DataSource,
    private readonly creditsPerSecond: number,
  ) {}

  /** @throws ServiceError `out_of_credit` */
  async mayCreate(accountId: string): Promise<void> {
    if (this.creditsPerSecond === 0) return;
    if ((await balanceOf(this.dataSource.manager, accountId)) > 0) return;
    throw new ServiceError('out_of_credit', {
      detail: 'The account has no credit left. Top up and try again.',
    });
  }
}
