import type { OpenJobQuotaAmounts } from '@app/jobs';
import type { MinTransferRate } from './request-body/limit-body.js';

export const API_OPTIONS_TOKEN = Symbol('API_OPTIONS_TOKEN');

/** Configuration of the routes. Sizes in bytes, times in seconds. */
export interface ApiOptions {
  publicUrl: string;
  uploadBytes: number;
  uploadSeconds: number;
  /** After the creation of a job, for which pings can keep its upload open. */
  uploadLifetimeSeconds: number;
  multipartBytes: number;
  multipartSeconds: number;
  audioBodyBytes: number;
  downloadSeconds: number;
  deadlineSeconds: number;
  /** For which a worker may still write for a job that has ended. */
  leaseSeconds: number;
  /** Days for which transcripts are retained; 0 for ever. */
  transcriptDays: number;
  creditsPerSecond: number;
  /** For audio uploads. */
  minTransferRate: MinTransferRate;
  streams: { maxConcurrent: number; heartbeatSeconds: number; waitingSeconds: number };
  /** How long a response is stored, and the lease of a claimed key. */
  idempotency: { retentionSeconds: number; leaseSeconds: number };
  /** Of the disk of a file store. */
  diskReserveBytes: number;
  /** Those of accounts without quotas of their own. */
  quotas: OpenJobQuotaAmounts;
  corsOrigins: readonly string[];
  /** Whether everybody who uses the console needs them, whatever the account chose. */
  requiresTwoFactors: boolean;
}
