import { ServiceError } from '@app/errors';
import {
  type OpenJobQuotaAmounts,
  findExceededQuota,
  type JobOptions,
  type QuotaName,
  QUOTA_NAMES,
  readOpenJobsUsageWithQuotaOverrides,
} from '@app/jobs';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { API_OPTIONS_TOKEN, type ApiOptions } from '../api-options.js';

/** Jobs that ended meanwhile count for so long. */
const MAX_AGE_MS = 2_000;
/** Before a request is rejected, a reading of this age is renewed. */
const MAX_AGE_OF_REJECTION_MS = 250;
const MAX_ACCOUNTS = 10_000;
const RETRY_AFTER_SECONDS = 10;

const DESCRIPTIONS: Record<QuotaName, string> = {
  pendingUploads: 'jobs that wait for their upload',
  pendingBytes:
    'bytes in upload URLs of jobs that wait for their upload (a URL is signed for twice the `file_size`, at least 64 MiB more)',
  storedBytes: 'bytes of audio that is not processed yet',
  vocabularyBytes: 'bytes of custom_vocabulary of jobs that have not ended',
};

interface Reading {
  usage: OpenJobQuotaAmounts;
  quotas: OpenJobQuotaAmounts;
  readAt: number;
}

/**
 * The quotas of accounts. The usage is read once in two seconds and account; what this process admits meanwhile is
 * added, so several API processes can exceed a quota by what they admit in that time.
 */
@Injectable()
export class QuotaCheck {
  private readonly readings = new Map<string, Promise<Reading>>();

  constructor(
    private readonly dataSource: DataSource,
    @Inject(API_OPTIONS_TOKEN)
    private readonly options: Pick<ApiOptions, 'quotas' | 'uploadBytes' | 'multipartBytes'>,
  ) {}

  /**
   * Call it once before a job is created.
   * @throws ServiceError `quota_exceeded`
   */
  async admit(accountId: string, addition: Partial<OpenJobQuotaAmounts>): Promise<void> {
    let reading = await this.read(accountId, MAX_AGE_MS);
    if (findExceeded(reading, addition) !== null)
      reading = await this.read(accountId, MAX_AGE_OF_REJECTION_MS);
    const exceeded = findExceeded(reading, addition);
    if (exceeded !== null) throw createQuotaError(exceeded, reading);
    for (const name of QUOTA_NAMES) reading.usage[name] += addition[name] ?? 0;
  }

  private async read(accountId: string, maxAgeMs: number): Promise<Reading> {
    const known = await this.readings.get(accountId)?.catch(() => undefined);
    if (known !== undefined && performance.now() - known.readAt < maxAgeMs) return known;
    if (this.readings.size >= MAX_ACCOUNTS) this.readings.clear();
    const reading = this.query(accountId);
    this.readings.set(accountId, reading);
    return reading;
  }

  private async query(accountId: string): Promise<Reading> {
    const row = await readOpenJobsUsageWithQuotaOverrides(this.dataSource, accountId, this.options);
    if (row === null) throw new ServiceError('invalid_api_key');
    const quotas = { ...this.options.quotas, ...row.overrides };
    return { usage: row.usage, quotas, readAt: performance.now() };
  }
}

/** Bytes of audio that are about to be sent count as stored, too, so that no upload is signed that would have no room. */
function findExceeded({ usage, quotas }: Reading, addition: Partial<OpenJobQuotaAmounts>): QuotaName | null {
  const exceeded = findExceededQuota(usage, addition, quotas);
  if (exceeded !== null) return exceeded;
  const stored = usage.storedBytes + Math.max(1, addition.pendingBytes ?? 0);
  return stored > quotas.storedBytes ? 'storedBytes' : null;
}

function createQuotaError(name: QuotaName, { quotas }: Reading): ServiceError {
  return new ServiceError('quota_exceeded', {
    detail: `The account may have ${quotas[name]} ${DESCRIPTIONS[name]}. Complete, cancel or wait for others first.`,
    retryAfter: RETRY_AFTER_SECONDS,
  });
}

/** As the database counts them. */
export function computeCustomVocabularyBytes({
  custom_vocabulary: terms,
}: Pick<JobOptions, 'custom_vocabulary'>): number {
  return terms === null ? 0 : Buffer.byteLength(JSON.stringify(terms));
}
