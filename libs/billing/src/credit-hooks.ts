import type { EntityManager } from 'typeorm';
import { getBalance, hold, hasHold, settleHold } from './ledger.repository.js';
import { computePrice } from './price.js';

/** Holds and settles the credits of a job inside the transactions of its lifecycle. */
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
    // A restarted job already has its hold.
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
