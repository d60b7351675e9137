import { createInvalidFieldError, ServiceError } from '@app/errors';
import {
  type OpenJobQuotaAmounts,
  findExceededQuota,
  type JobOptions,
  type QuotaName,
  readOpenJobsUsageWithQuotaOverrides,
} from '@app/jobs';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { API_OPTIONS_TOKEN, type ApiOptions } from '../api-options.js';
import { AccountUsageTracker, type UsageAndQuotas } from './account-usage-tracker.js';

/** For this time, jobs that ended meanwhile still count. */
const MAX_AGE_MS = 2_000;
/** Before a request is rejected, a reading of this age is renewed. */
const MAX_AGE_OF_REJECTION_MS = 250;
const MAX_ACCOUNTS = 10_000;
const RETRY_AFTER_SECONDS = 10;

const SIGNED_BYTES_RULE =
  'that of a single upload is signed for twice the `file_size`, at least 64 MiB more, that of a part for `part_size`';
const DESCRIPTIONS: Record<QuotaName, string> = {
  pendingUploads: 'jobs that wait for their upload',
  pendingBytes: `bytes in upload URLs of jobs that wait for their upload (${SIGNED_BYTES_RULE})`,
  storedBytes: `bytes of audio that is not processed yet, with those in the upload URL of the new job (${SIGNED_BYTES_RULE})`,
  vocabularyBytes: 'bytes of custom_vocabulary of jobs that have not ended',
};

const NO_USAGE: OpenJobQuotaAmounts = {
  pendingUploads: 0,
  pendingBytes: 0,
  storedBytes: 0,
  vocabularyBytes: 0,
};

/**
 * The quotas of accounts. The usage is read once in two seconds and account; what this process admits meanwhile is
 * added, so several API processes can exceed a quota by what they admit in that time.
 */
@Injectable()
export class QuotaCheck {
  private readonly usages = new Map<string, AccountUsageTracker>();

  constructor(
    private readonly dataSource: DataSource,
    @Inject(API_OPTIONS_TOKEN)
    private readonly options: Pick<ApiOptions, 'quotas' | 'uploadBytes' | 'multipartBytes'>,
  ) {}

  /**
   * The addition counts until the job of `create` counts itself.
   * @param create creates one job
   * @throws ServiceError `quota_exceeded`; `file_too_large` or `validation_failed` if the addition does not fit into a quota of its own;
   * and what `create` throws
   */
  async admit<T>(
    accountId: string,
    addition: Partial<OpenJobQuotaAmounts>,
    create: () => Promise<T>,
  ): Promise<T> {
    const account = this.getUsage(accountId);
    await account.read(MAX_AGE_MS);
    if (findExceeded(account.getUsageWithAdmissions(), addition) !== null)
      await account.read(MAX_AGE_OF_REJECTION_MS);
    const current = account.getUsageWithAdmissions();
    const exceeded = findExceeded(current, addition);
    if (exceeded !== null)
      throw createOversizeError(current, addition) ?? createQuotaError(exceeded, current);
    const settle = account.admit(addition);
    try {
      return await create();
    } finally {
      settle();
    }
  }

  private getUsage(accountId: string): AccountUsageTracker {
    const known = this.usages.get(accountId);
    if (known) return known;
    if (this.usages.size >= MAX_ACCOUNTS) this.forgetIdleAccounts();
    const usage = new AccountUsageTracker(() => this.query(accountId));
    this.usages.set(accountId, usage);
    return usage;
  }

  private forgetIdleAccounts(): void {
    for (const [accountId, usage] of this.usages) if (!usage.hasOpenAdmissions) this.usages.delete(accountId);
  }

  private async query(accountId: string): Promise<UsageAndQuotas> {
    const row = await readOpenJobsUsageWithQuotaOverrides(this.dataSource, accountId, this.options);
    if (row === null) throw new ServiceError('invalid_api_key');
    return { usage: row.usage, quotas: { ...this.options.quotas, ...row.overrides } };
  }
}

/** Bytes of audio that are about to be sent count as stored, too, so that no upload is signed that would have no room. */
function findExceeded(
  { usage, quotas }: UsageAndQuotas,
  addition: Partial<OpenJobQuotaAmounts>,
): QuotaName | null {
  const exceeded = findExceededQuota(usage, addition, quotas);
  if (exceeded !== null) return exceeded;
  const stored = usage.storedBytes + Math.max(1, addition.pendingBytes ?? 0);
  return stored > quotas.storedBytes ? 'storedBytes' : null;
}

/** For a request that would not fit if no other job were open: to wait for others is in vain. */
function createOversizeError(
  { quotas }: UsageAndQuotas,
  addition: Partial<OpenJobQuotaAmounts>,
): ServiceError | null {
  const name = findExceeded({ usage: NO_USAGE, quotas }, addition);
  const { pendingBytes = 0, vocabularyBytes = 0 } = addition;
  // A quota of nothing is no matter of size.
  if (name === null || quotas[name] === 0) return null;
  if (name === 'vocabularyBytes')
    return createInvalidFieldError(
      'custom_vocabulary',
      `has ${vocabularyBytes} bytes, more than the ${quotas[name]} that all jobs of the account may have together`,
    );
  if ((name !== 'pendingBytes' && name !== 'storedBytes') || pendingBytes === 0) return null;
  return new ServiceError('file_too_large', {
    detail: `The upload counts as ${pendingBytes} bytes. The account may have ${quotas[name]} ${DESCRIPTIONS[name]}.`,
  });
}

function createQuotaError(name: QuotaName, { quotas }: UsageAndQuotas): ServiceError {
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
