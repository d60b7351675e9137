/** What the open jobs of an account may take up together. */
export interface OpenJobQuotaAmounts {
  /** Jobs that wait for their upload. */
  pendingUploads: number;
  /** Bytes for which the upload URLs of these jobs are signed. */
  pendingBytes: number;
  /** Bytes of the stored audio of queued jobs. */
  storedBytes: number;
  /** Bytes of the `custom_vocabulary` of jobs that have not ended, as JSON. */
  vocabularyBytes: number;
}

export type QuotaName = keyof OpenJobQuotaAmounts;

/** Absent quotas are those of the settings. */
export type QuotaOverrides = Partial<OpenJobQuotaAmounts>;

export const QUOTA_NAMES = Object.keys({
  pendingUploads: true,
  pendingBytes: true,
  storedBytes: true,
  vocabularyBytes: true,
} satisfies Record<QuotaName, true>) as readonly QuotaName[];

/** A single upload may be larger than declared by as much again, but at least by this. */
export const MIN_UPLOAD_TOLERANCE_BYTES = 64 * 2 ** 20;

/**
 * @param declared `file_size`, in bytes
 * @param maxBytes largest file of the route
 * @returns the bytes for which its URL is signed
 */
export function addToleranceToDeclaredUploadBytes(declared: number, maxBytes: number): number {
  return Math.min(maxBytes, declared + Math.max(declared, MIN_UPLOAD_TOLERANCE_BYTES));
}

/** @returns the quota that the usage exceeds with the addition, or null */
export function findExceededQuota(
  usage: OpenJobQuotaAmounts,
  addition: Partial<OpenJobQuotaAmounts>,
  quotas: OpenJobQuotaAmounts,
): QuotaName | null {
  const isExceeded = (name: QuotaName): boolean =>
    (addition[name] ?? 0) > 0 && usage[name] + (addition[name] ?? 0) > quotas[name];
  return QUOTA_NAMES.find(isExceeded) ?? null;
}
