export {
  appendEvent,
  EVENT_CHANNEL,
  isTerminalEvent,
  readEvents,
  type StoredEvent,
} from './events/job-event.repository.js';
export { JobsModule } from './jobs.module.js';
export type { JobsOptions } from './jobs-options.js';
export { abortUpload, isUploadAborted } from './lifecycle/abort-upload.js';
export { AUDIO_MISSING_REASON } from './lifecycle/audio-missing.js';
export { cancelJob } from './lifecycle/cancel-job.js';
export {
  completeFromTranscript,
  InsufficientCreditsError,
  type StoredTranscript,
} from './lifecycle/complete-from-transcript.js';
export {
  buildAudioKey,
  type CreatedJob,
  createJob,
  createJobInTransaction,
  enqueueJob,
} from './lifecycle/create-job.js';
export type { NewJob } from './lifecycle/job.repository.js';
export {
  combineJobHooks,
  type FinishedJobSummary,
  type FinishedJob,
  JOB_HOOKS,
  type JobHooks,
} from './lifecycle/job-hooks.js';
export { finishJob } from './lifecycle/finish-job.js';
export { parseServiceFailure } from './lifecycle/service-failures.js';
export {
  extendUploadSession,
  recordDuration,
  recordFetchedAudio,
  recordProgress,
  setSpeakerNames,
} from './lifecycle/job.repository.js';
export { failedOutcome, serviceFailureOutcome, type JobOutcome } from './lifecycle/job-outcome.js';
export { isTerminalStatus, TRANSITIONS } from './lifecycle/job-states.js';
export { type JobMetadata, METADATA_KEY, METADATA_LIMITS } from './options/job-metadata.js';
export {
  DEFAULT_OPTIONS,
  type JobOptions,
  MODELS,
  OUTPUT_TYPES,
  type OutputType,
  TIERS,
} from './options/job-options.js';
export {
  abandonAudioIntake,
  beginAudioIntake,
  endAudioIntake,
  expireAudioIntake,
  deleteAudioIntake,
  deleteExpiredAudioIntakes,
} from './orphans/audio-intake.repository.js';
export { findOrphans, isStillOrphan } from './orphans/find-orphans.js';
export {
  OBJECT_PREFIXES,
  type ObjectPrefix,
  classifyObjects,
  type ObjectClass,
} from './orphans/stored-object.repository.js';
export {
  type ObservedOrphan,
  type Orphan,
  deleteOrphanObservations,
  deleteUnseenOrphans,
  findOrphansOlderThan,
  listObservedOrphans,
  observeOrphans,
  type OrphanScope,
} from './orphans/orphan-observation.repository.js';
export { PollingLoop, type PollingLoopOptions } from './outbox/polling-loop.js';
export { countDueMessages } from './outbox/outbox.repository.js';
export { relayBatch } from './outbox/relay.js';
export { Relay } from './outbox/relay.service.js';
export { settlesWithin } from './queue/with-timeout.js';
export type { BullJob } from './queue/backoff-worker.js';
export { JobQueue } from './queue/job-queue.js';
export { createQueuePool, migrateQueue } from './queue/postgres-adapter.js';
export { QueueConsumer } from './queue/queue-consumer.js';
export { QueueModule } from './queue/queue.module.js';
export {
  type HandlerOutcome,
  type QueueMessage,
  type QueueMessageReport,
  QueueUnavailableError,
} from './queue/queue-message.js';
export type { QueueServerOptions } from './queue/queue-options.js';
export { QUEUE_NAMES, type QueueName, type QueuePayloads } from './queue/queues.js';
export {
  type ChunkRow,
  streamChunkResults,
  readChunkVoices,
  type ChunkVoicesRow,
} from './stages/chunk-result.repository.js';
export {
  type DeclaredSizes,
  countOpenJobs,
  findAccountOfJob,
  findExistingJobIds,
  findJobResult,
  isUploadPending,
  type JobResult,
  findJob,
  haveJobsFailed,
  isoTimestampSql,
  type JobView,
  readDeclaredSizes,
} from './reads/job-view.repository.js';
export {
  type JobFilter,
  type JobPage,
  type ListedJob,
  type ListedJobDetails,
  listJobDetails,
  listJobs,
} from './reads/job-list.repository.js';
export {
  type OnAttemptFailed,
  ATTEMPT_FAILURE_KINDS,
  type AttemptFailureKind,
  stageLogFields,
} from './runner/attempt-failures.js';
export {
  UnrecoverableStageError,
  StageInputMissingError,
  RetryableStageError,
  DependencyUnavailableError,
} from './runner/stage-errors.js';
export {
  type CommitCheckpoint,
  type StageCommit,
  StageRunner,
  type StageResult,
  type StageRunnerOptions,
  type StageWork,
} from './runner/stage-runner.js';
export { retryWhileDatabaseUnavailable } from './runner/retry-while-database-unavailable.js';
export { addStages, completeStage, type NewStage } from './stages/job-stage.repository.js';
export { type ClaimedStage, claimStage, renewLease } from './stages/stage-claim.repository.js';
export { scheduleAggregationIfDone, finalizeChunking } from './stages/finalize-chunking.js';
export { buildChunkStageName, type StageName, getStageQueue } from './stages/stage-names.js';
export { LeaseLostError } from './stages/lease-lost-error.js';
export {
  findLongestWaits,
  type ReclaimedStage,
  type RestoredAudio,
  resumeRestoredJobs,
  retryJob,
} from './maintenance/maintenance.repository.js';
export { Sweeper } from './maintenance/sweeper.js';
export {
  buildChunkKey,
  buildDocumentKey,
  buildDocumentKeyBeside,
  buildFetchedAudioKey,
  isFromEarlierAttempt,
  parseJobId,
  buildRenderingKey,
  buildTranscriptPrefix,
  buildWorkPrefix,
} from './stages/object-keys.js';
export type { ChunkInput, ChunkOutput } from './stages/chunk-data.js';
