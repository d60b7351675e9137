import type { EntityManager } from 'typeorm';
import { balanceOf, hold, isHeld, settle } from './ledger.js';
import { priceOf } from './price.js';

/** What credits have to do with the life of a job; called inside the job's own transactions. */
export class CreditEffects {
  constructor(private readonly creditsPerSecond: number) {}

  async couldPay(
    tx: EntityManager,
    { accountId, seconds }: { accountId: string; seconds: number },
  ): Promise<boolean> {
    return (await balanceOf(tx, accountId)) >= priceOf(seconds, this.creditsPerSecond);
  }

  async durationKnown(
    tx: EntityManager,
    job: { id: string; accountId: string; seconds: number },
  ): Promise<boolean> {
    // A job that starts over has its price set aside already.
    if (await isHeld(tx, job.id)) return true;
    return hold(tx, job.accountId, job.id, priceOf(job.seconds, this.creditsPerSecond));
  }

  async finished(
    tx: EntityManager,
    job: { id: string; accountId: string; processedSeconds: number },
  ): Promise<void> {
    await settle(tx, job.accountId, job.id, priceOf(job.processedSeconds, this.creditsPerSecond));
  }
}
