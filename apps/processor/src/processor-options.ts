import type { BootContext } from '@app/runtime';
import type { EngineChoice } from '@app/speech';

export const PROCESSOR_OPTIONS_TOKEN = Symbol('PROCESSOR_OPTIONS_TOKEN');

/** Times are in seconds and sizes in bytes. */
export interface ProcessorOptions {
  concurrency: { fetch: number; preprocess: number; chunk: number; aggregation: number };
  chunkSeconds: number;
  chunkMaxSeconds: number;
  smallFileBytes: number;
  leaseSeconds: number;
  stageTimeoutSeconds: number;
  maxAttempts: number;
  maxCrashes: number;
  sweepSeconds: number;
  redeliverSeconds: number;
  storeScanSeconds: number;
  /** An unneeded object is observed for this time before it is deleted. */
  unneededAudioSeconds: number;
  /** Days for which an orphan is observed before it is deleted; 0 leaves deletion to the operator. */
  orphanRetentionDays: number;
  orphanDelaySeconds: number;
  /** Idle timeout of request bodies in an API. */
  bodyIdleSeconds: number;
  /** Minimum transfer rate of request bodies in an API. */
  bodyBytesPerSecond: number;
  /** 0 keeps transcripts forever. */
  transcriptDays: number;
  jobDays: number;
  jobDetailDays: number;
  /** Time for which requests and responses of webhooks are kept. */
  webhookAttemptDays: number;
  /** Between two requests to Stripe for what no webhook reported. */
  paymentReconcileSeconds: number;
  shutdownSeconds: number;
  /** Free bytes that are left on a disk, at most a twentieth of it. */
  diskReserveBytes: number;
  /** Stored audio of an account with which no more is fetched for it. */
  storedBytesQuota: number;
  /** Largest file from an `audio_url`. */
  audioBytes: number;
  audioFetchSeconds: number;
  /** Minimum transfer rate of such a file. */
  audioFetchBytesPerSecond: number;
  /** Fetches of one account at the same time, in all processors. */
  audioFetchesPerAccount: number;
}

export function buildProcessorOptions(
  { config }: BootContext,
  { concurrentChunks }: EngineChoice,
): ProcessorOptions {
  const { pipeline, service, limits, outbound, quotas, storage } = config;
  return {
    ...pipeline,
    bodyIdleSeconds: config.api.bodyIdleSeconds,
    bodyBytesPerSecond: config.api.bodyBytesPerSecond,
    concurrency: {
      fetch: pipeline.fetchConcurrency,
      preprocess: pipeline.preprocessConcurrency,
      chunk: concurrentChunks.count,
      aggregation: pipeline.aggregationConcurrency,
    },
    shutdownSeconds: service.shutdownSeconds,
    diskReserveBytes: storage.diskReserveBytes,
    storedBytesQuota: quotas.storedBytes,
    transcriptDays: limits.transcriptDays,
    jobDays: limits.jobDays,
    jobDetailDays: limits.jobDetailDays,
    paymentReconcileSeconds: config.payments.reconcileSeconds,
    webhookAttemptDays: config.outbound.webhookAttemptDays,
    audioBytes: limits.multipartBytes,
    audioFetchSeconds: outbound.audioFetchSeconds,
    audioFetchBytesPerSecond: outbound.audioFetchBytesPerSecond,
    audioFetchesPerAccount: outbound.audioFetchesPerAccount,
  };
}
