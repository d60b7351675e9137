import type { MinTransferRate } from './request-body/limit-body.js';

export const API_OPTIONS = Symbol('API_OPTIONS');

/** What the routes need to know of the configuration. Sizes in bytes, times in seconds. */
export interface ApiOptions {
  publicUrl: string;
  uploadBytes: number;
  uploadSeconds: number;
  multipartBytes: number;
  multipartSeconds: number;
  streamBytes: number;
  downloadSeconds: number;
  deadlineSeconds: number;
  creditsPerSecond: number;
  /** What a sender of audio has to keep up with. */
  minTransferRate: MinTransferRate;
  streams: { poolSize: number; heartbeatSeconds: number; waitingSeconds: number };
  /** How long an answer is remembered, and how long a key is held without a sign of life. */
  idempotency: { retentionSeconds: number; leaseSeconds: number };
  corsOrigins: readonly string[];
}
