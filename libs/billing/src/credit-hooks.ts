import type { EntityManager } from 'typeorm';
import { getBalance, hold, hasHold, settleHold } from './ledger.repository.js';
import { computePrice } from './price.js';

/** What credits have to do with the life of a job; called inside the job's own transactions. */
export class CreditHooks {
  constructor(private readonly creditsPerSecond: number) {}

  async canAfford(
    tx: EntityManager,
    { accountId, seconds }: { accountId: string; seconds: number },
  ): Promise<boolean> {
    return (await getBalance(tx, accountId)) >= computePrice(seconds, this.creditsPerSecond);
  }

  async reserveCredits(
    tx: EntityManager,
    job: { id: string; accountId: string; seconds: number },
  ): Promise<boolean> {
    // A job that starts over has its price set aside already.
    if (await hasHold(tx, job.id)) return true;
    return hold(tx, job.accountId, job.id, computePrice(job.seconds, this.creditsPerSecond));
  }

  async onJobFinished(
    tx: EntityManager,
    job: { id: string; accountId: string; processedSeconds: number },
  ): Promise<void> {
    await settleHold(tx, job.accountId, job.id, computePrice(job.processedSeconds, this.creditsPerSecond));
  }
}
