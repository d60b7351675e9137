import type { BodyPace } from './storage/guarded-body.js';

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
  bodyPace: BodyPace;
  streams: { poolSize: number; heartbeatSeconds: number; waitingSeconds: number };
  /** How long an answer is remembered, and how long a key is held without a sign of life. */
  idempotency: { seconds: number; leaseSeconds: number };
  corsOrigins: readonly string[];
}
