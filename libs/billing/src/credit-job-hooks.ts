import type { EndedJob, JobHooks } from '@app/jobs';
import type { DataSource, EntityManager } from 'typeorm';
import {
  holdCreditsOrFailCommit,
  findCreditHoldAmount,
  readCreditBalance,
  holdCredits,
  settleCreditHold,
} from './ledger.repository.js';
import { computePriceInCredits } from './price.js';

export class CreditJobHooks implements Partial<JobHooks> {
  constructor(private readonly creditsPerSecond: number) {}

  async canAfford(
    tx: EntityManager,
    { accountId, seconds }: { accountId: string; seconds: number },
  ): Promise<boolean> {
    return (await readCreditBalance(tx, accountId)) >= computePriceInCredits(seconds, this.creditsPerSecond);
  }

  async holdCredits(
    tx: EntityManager,
    job: { id: string; accountId: string; seconds: number },
  ): Promise<boolean> {
    const price = computePriceInCredits(job.seconds, this.creditsPerSecond);
    // What costs nothing needs no entry, and must not wait for the row of the account.
    return price === 0 || holdCredits(tx, job.accountId, job.id, price);
  }

  async holdCreditsOrFailCommit(
    tx: EntityManager,
    job: { id: string; accountId: string; seconds: number },
    createError: () => Error,
  ): Promise<void> {
    const price = computePriceInCredits(job.seconds, this.creditsPerSecond);
    if (price > 0) await holdCreditsOrFailCommit(tx, job.accountId, job.id, price, createError);
  }

  async computeCharge(
    dataSource: DataSource,
    { id, seconds, heldSeconds }: { id: string; seconds: number; heldSeconds?: number },
  ): Promise<number> {
    const price = computePriceInCredits(seconds, this.creditsPerSecond);
    const held =
      heldSeconds === undefined
        ? await findCreditHoldAmount(dataSource, id)
        : computePriceInCredits(heldSeconds, this.creditsPerSecond);
    return Math.min(price, held ?? price);
  }

  async onJobEnd(
    tx: EntityManager,
    job: Pick<EndedJob, 'id' | 'accountId' | 'processedSeconds'>,
  ): Promise<void> {
    await settleCreditHold(
      tx,
      job.accountId,
      job.id,
      computePriceInCredits(job.processedSeconds, this.creditsPerSecond),
    );
  }
}
