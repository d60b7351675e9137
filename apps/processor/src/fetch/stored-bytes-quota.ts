import { DependencyUnavailableError, type StoredBytesQuotaUsage, readStoredBytesQuotaUsage } from '@app/jobs';
import type { DataSource } from 'typeorm';

/** Each reading sums over all open jobs of the account. */
const MAX_AGE_MS = 5_000;
const MAX_ACCOUNTS = 1_000;
const [MIN_RETRY_SECONDS, MAX_RETRY_SECONDS] = [60, 600];
/** At the quota, so that thousands of jobs that wait for others of their account do not occupy its slots and the database. */
const RETRIES_PER_SECOND = 10;

interface Reading {
  startedAt: number;
  usage: Promise<StoredBytesQuotaUsage | null>;
  /** By this process, since then. */
  fetchedBytes: number;
}

/**
 * The quota of stored audio, for files whose size is not known when their job is admitted. The usage of an account is read once in five
 * seconds; what this process fetches meanwhile is added, so several processes can exceed the quota by what they fetch in that time.
 */
export class StoredBytesQuota {
  private readonly readings = new Map<string, Reading>();

  constructor(
    private readonly dataSource: DataSource,
    /** Of accounts without one of their own. */
    private readonly defaultBytes: number,
  ) {}

  /** @throws DependencyUnavailableError at the quota */
  async assertBelow(accountId: string): Promise<void> {
    const reading = this.getReading(accountId);
    const usage = await reading.usage;
    if (usage === null) return;
    const { storedBytes, quotaOverride, waitingFetches } = usage;
    if (storedBytes + reading.fetchedBytes < (quotaOverride ?? this.defaultBytes)) return;
    const reason = 'The account has as much stored audio as its quota allows (stored_bytes).';
    const delaySeconds = Math.max(MIN_RETRY_SECONDS, Math.ceil(waitingFetches / RETRIES_PER_SECOND));
    throw new DependencyUnavailableError(new Error(reason), Math.min(delaySeconds, MAX_RETRY_SECONDS));
  }

  noteFetched(accountId: string, bytes: number): void {
    const reading = this.readings.get(accountId);
    if (reading) reading.fetchedBytes += bytes;
  }

  private getReading(accountId: string): Reading {
    const now = performance.now();
    const known = this.readings.get(accountId);
    if (known && now - known.startedAt < MAX_AGE_MS) return known;
    if (this.readings.size >= MAX_ACCOUNTS) this.readings.clear();
    const usage = readStoredBytesQuotaUsage(this.dataSource, accountId);
    const reading = { startedAt: now, usage, fetchedBytes: 0 };
    this.readings.set(accountId, reading);
    usage.catch(() => this.readings.get(accountId) === reading && this.readings.delete(accountId));
    return reading;
  }
}
