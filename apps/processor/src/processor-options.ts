export const PROCESSOR_OPTIONS = Symbol('PROCESSOR_OPTIONS');
export const SPEECH_ENGINE = Symbol('SPEECH_ENGINE');
export const AUXILIARY_MODELS = Symbol('AUXILIARY_MODELS');

/** Times are in seconds and sizes in bytes. */
export interface ProcessorOptions {
  concurrency: { preprocess: number; chunk: number; aggregation: number };
  chunkSeconds: number;
  chunkMaxSeconds: number;
  smallFileBytes: number;
  leaseSeconds: number;
  stageTimeoutSeconds: number;
  maxAttempts: number;
  sweepSeconds: number;
  redeliverSeconds: number;
  orphanSweepSeconds: number;
  /** Minimum time for which an unneeded object has been observed before it is deleted. */
  orphanAgeSeconds: number;
  /** Days for which an orphan is observed before it is deleted; 0 leaves deletion to the operator. */
  orphanRetentionDays: number;
  /** Uptime of a processor before it deletes orphans, in seconds. */
  orphanDelaySeconds: number;
  /** Idle timeout of request bodies in an API. */
  bodyIdleSeconds: number;
  /** Minimum transfer rate of request bodies in an API. */
  bodyBytesPerSecond: number;
  /** Days after which transcripts are deleted; 0 keeps them forever. */
  transcriptDays: number;
  shutdownSeconds: number;
  /** Maximum size of a file that is fetched from an `audio_url`. */
  audioBytes: number;
  audioFetchSeconds: number;
}
