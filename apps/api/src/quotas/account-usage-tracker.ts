import { type OpenJobQuotaAmounts, QUOTA_NAMES } from '@app/jobs';

export interface UsageAndQuotas {
  usage: OpenJobQuotaAmounts;
  quotas: OpenJobQuotaAmounts;
}

interface Reading extends UsageAndQuotas {
  /** Start of the query: a job that was created later may be missing. */
  startedAt: number;
}

interface Admission {
  amounts: Partial<OpenJobQuotaAmounts>;
  /** Null while the job is being created. */
  settledAt: number | null;
}

/**
 * What one account uses: what was read last, and what this process has admitted that this reading may lack. A job that was
 * created while it was read may be counted twice until the next reading.
 */
export class AccountUsageTracker {
  private reading: Reading | null = null;
  private pendingReading: Promise<void> | null = null;
  private readonly admissions = new Set<Admission>();

  constructor(private readonly query: () => Promise<UsageAndQuotas>) {}

  /** Whether a job is being created. */
  get hasOpenAdmissions(): boolean {
    return [...this.admissions].some(({ settledAt }) => settledAt === null);
  }

  /** Concurrent calls share one query. @param maxAgeMs a reading of this age is renewed */
  async read(maxAgeMs: number): Promise<void> {
    if (this.reading !== null && performance.now() - this.reading.startedAt < maxAgeMs) return;
    this.pendingReading ??= this.renew().finally(() => (this.pendingReading = null));
    await this.pendingReading;
  }

  /** After `read`. An admission that depends on it must follow without a pause. */
  getUsageWithAdmissions(): UsageAndQuotas {
    if (this.reading === null) throw new Error('The usage was not read.');
    const usage = { ...this.reading.usage };
    for (const { amounts } of this.admissions)
      for (const name of QUOTA_NAMES) usage[name] += amounts[name] ?? 0;
    return { usage, quotas: this.reading.quotas };
  }

  /** @returns to call when the job was created, or was not */
  admit(amounts: Partial<OpenJobQuotaAmounts>): () => void {
    const admission: Admission = { amounts, settledAt: null };
    this.admissions.add(admission);
    return () => void (admission.settledAt = performance.now());
  }

  private async renew(): Promise<void> {
    const startedAt = performance.now();
    this.reading = { ...(await this.query()), startedAt };
    for (const admission of this.admissions)
      if (admission.settledAt !== null && admission.settledAt <= startedAt) this.admissions.delete(admission);
  }
}
