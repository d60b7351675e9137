export const PROCESSOR_OPTIONS = Symbol('PROCESSOR_OPTIONS');
export const SPEECH_ENGINE = Symbol('SPEECH_ENGINE');
export const AUXILIARY_MODELS = Symbol('AUXILIARY_MODELS');

/** Times in seconds, sizes in bytes. */
export interface ProcessorOptions {
  concurrency: { preprocess: number; chunk: number; aggregation: number };
  chunkSeconds: number;
  chunkMaxSeconds: number;
  smallFileBytes: number;
  leaseSeconds: number;
  stageSeconds: number;
  maxAttempts: number;
  sweepSeconds: number;
  redeliverSeconds: number;
  orphanSweepSeconds: number;
  /** How long bytes that a row releases must have been seen. */
  orphanAgeSeconds: number;
  /** Days for which an orphan is observed before it is deleted; 0 leaves it to the operator. */
  orphanRetentionDays: number;
  /** Seconds for which a processor has run before it deletes an orphan. */
  orphanDelaySeconds: number;
  /** For how long an API lets a sender be silent. */
  bodyIdleSeconds: number;
  /** What it asks of a sender. */
  bodyBytesPerSecond: number;
  /** Days that transcripts are kept; 0 for ever. */
  transcriptDays: number;
  shutdownSeconds: number;
  /** Largest file behind an `audio_url`. */
  audioBytes: number;
  audioFetchSeconds: number;
}
