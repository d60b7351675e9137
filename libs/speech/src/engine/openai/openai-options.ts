import type { TimestampGranularity } from './transcription-form.js';

/** Where the recognition is done, and how patient to be with it. */
export interface OpenAiOptions {
  /** What `/audio/transcriptions` is appended to, such as `http://gpu:8000/v1`. */
  baseUrl: string;
  /** Sent as a bearer token, and nowhere else. */
  apiKey?: string | undefined;
  model: string;
  /** Requests under way at once. */
  concurrency: number;
  /** Seconds that one try may take in all; also the longest wait that a server is granted between two. */
  timeoutSeconds: number;
  /** Tries of one chunk. */
  attempts: number;
  /** Milliseconds before the second try; doubled for each further one. */
  initialBackoffMs?: number;
  /** Milliseconds in which a connection has to be made. */
  connectTimeoutMs?: number;
  /** Told when the server refused to give more than this of several chunks in a row; it is then asked for no more. */
  onGranularityReduced?: (detail: TimestampGranularity) => void;
}
