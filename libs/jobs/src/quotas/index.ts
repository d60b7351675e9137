export {
  type OpenJobQuotaAmounts,
  addToleranceToDeclaredUploadBytes,
  findExceededQuota,
  QUOTA_NAMES,
  type QuotaName,
  type QuotaOverrides,
} from './account-quotas.js';
export {
  type StoredBytesQuotaUsage,
  readStoredBytesQuotaUsage,
  replaceQuotaOverrides,
  readOpenJobsUsageWithQuotaOverrides,
} from './account-usage.repository.js';
