export { readTranscribedChunksBeforeFirstPending } from './reads/transcribed-chunk.repository.js';
export {
  deleteTranscriptCorrection,
  deleteTranscriptCorrectionIfUnchanged,
  deleteTranscriptCorrections,
  listTranscriptCorrections,
  type NewTranscriptCorrection,
  saveOrReplaceSegmentCorrection,
  saveSegmentCorrectionIfUnchanged,
} from './corrections/transcript-correction.repository.js';
export {
  JOB_EVENT_CHANNEL,
  readLastEventNumbers,
  isEndEventType,
  readJobEvents,
  type StoredJobEvent,
} from './events/job-event.repository.js';
export type { AudioSummary } from './reads/audio-summary.repository.js';
export { QueueAndOutboxModule } from './queue-and-outbox.module.js';
export type { QueueAndOutboxModuleOptions } from './queue-and-outbox-module-options.js';
export { endJobOfAbortedUpload, isUploadAborted, cancelJob } from './lifecycle/cancel-job.js';
export {
  AUDIO_MISSING_FAILURE_REASON,
  getServiceFailureCodeOfFailedEvent,
  buildFailedOutcome,
  buildServiceFailureOutcome,
  type JobOutcome,
} from './lifecycle/job-outcome.js';
export {
  completeRestoredJobFromStoredTranscript,
  InsufficientCreditsError,
  type StoredTranscript,
} from './lifecycle/complete-restored-job-from-stored-transcript.js';
export { buildFailedEventOfDeletedJob, deleteJob } from './deletion/delete-job.js';
export {
  abortMultipartUploadOfDeletedJob,
  CONTENT_OF_DELETED_JOBS,
  deleteObjectsOfDeletedJob,
  buildKeysAndPrefixesOfDeletedJob,
  type ObjectDeleter,
} from './deletion/delete-objects-of-deleted-job.js';
export {
  claimDueDeletedJobs,
  type ClaimedDeletedJob,
  deleteEndedJobRow,
  deleteRowsOrScheduleNextDeletions,
  hasDueDeletedJobs,
} from './deletion/deleted-job.repository.js';
export { createJobAndEnqueueIfUrl, createJobReturningMessages, enqueueJob } from './lifecycle/create-job.js';
export {
  lockJobWithTranscript,
  lockPendingUpload,
  markJobQueuedAndInsertFirstStage,
  type NewJob,
  extendUploadSession,
  recordFetchedAudio,
  mergeSpeakerNames,
} from './lifecycle/job.repository.js';
export {
  recordPreprocessResultAndEndStage,
  completeStageAndRecordStep,
  recordCompletedStep,
} from './lifecycle/job-steps.repository.js';
export {
  combineJobHooks,
  type JobEndReport,
  type EndedJob,
  JOB_HOOKS_TOKEN,
  type JobHooks,
} from './lifecycle/job-hooks.js';
export { completeJobWithLastStage, endJob } from './lifecycle/end-job.js';
export type { LastStageCompletion } from './lifecycle/job-end.repository.js';
export { isEndStatus } from './lifecycle/job-states.js';
export {
  type JobMetadata,
  METADATA_KEY_PATTERN,
  METADATA_LIMITS,
  DEFAULT_JOB_OPTIONS,
  type JobOptions,
  JOB_MODELS,
  OUTPUT_TYPES,
  REDACTION_KINDS,
  type OutputType,
  JOB_TIERS,
  MAX_SPEAKER_COUNT,
  MULTICHANNEL_MODES,
  type MultichannelMode,
} from './options/job-options.js';
export {
  markAudioIntakeAbandoned,
  beginAudioIntake,
  deleteAudioIntakeUnlessAbandoned,
  expireAudioIntakeNow,
  deleteAudioIntake,
  deleteExpiredIntakesWithoutAudio,
} from './orphans/audio-intake.repository.js';
export { streamOrphans, isStillOrphan } from './orphans/stream-orphans.js';
export {
  OBJECT_PREFIXES,
  type ObjectPrefix,
  classifyStoredObjects,
  type StoredObjectCleanupDecision,
} from './orphans/stored-object.repository.js';
export {
  type Orphan,
  deleteOrphanObservations,
  deleteUnseenOrphanObservations,
  listOrphansOlderThan,
  listObservedOrphans,
  recordOrphanObservations,
  type OrphanScanScope,
} from './orphans/orphan-observation.repository.js';
export { countOverdueOutboxMessages, type OutboxMessage } from './outbox/outbox.repository.js';
export { relayOutboxBatch, OutboxRelay } from './outbox/outbox-relay.service.js';
export type { BullJob } from './queue/backoff-worker.js';
export { StageQueues } from './queue/stage-queues.js';
export { createQueuePool, QUEUE_POOL_SIZE, migrateQueueSchema } from './queue/postgres-adapter.js';
export { QueueConsumer } from './queue/queue-consumer.js';
export { QueueModule } from './queue/queue.module.js';
export {
  ReturnMessageToQueueError,
  type QueueHandlerOutcome,
  type QueueMessage,
  type QueueMessageOutcome,
  type QueueMessageReport,
  QueueUnavailableError,
} from './queue/queue-message.js';
export type { QueueServerOptions } from './queue/queue-options.js';
export { QUEUE_NAMES, type QueueName, type QueuePayloads } from './queue/queues.js';
export {
  type DiarizationBlockChunk,
  JobChunkResultsReader,
  type ChunkSpeakerFeaturesRow,
  type ChunkResultEngine,
  type ChunkInput,
  type ChunkOutput,
  type ChunkOutputWord,
  type ChunkResultRow,
} from './stages/chunk-result.repository.js';
export {
  countAllUploadingAndQueuedJobs,
  findExistingJobIds,
  findJobForSignedDownload,
  findJobAccountAndTraceparent,
  isUploadPendingForSignedUrl,
  type JobForSignedDownload,
  getJob,
  readJobFailedFlags,
  buildIsoTimestampSql,
  type JobForApiRoutes,
  type JobAccountAndTraceparent,
} from './reads/job-lookup.repository.js';
export {
  type JobFilter,
  type JobPage,
  type JobIdAndCreationTime,
  type JobListItemWithDetails,
  listJobSummaries,
  listJobIdsAndCreationTimes,
} from './reads/job-list.repository.js';
export {
  getConsoleJobWithDetailsAndEvents,
  type ConsoleJobWithDetailsAndEvents,
  type ConsoleJobSummary,
  type ConsoleJobFilter,
  listConsoleJobSummaries,
} from './reads/job-summary.repository.js';
export {
  changeTranscriptRetention,
  computeEffectiveRetentionDays,
  MAX_ACCOUNT_RETENTION_DAYS,
  MIN_ACCOUNT_RETENTION_DAYS,
} from './retention/account-retention.js';
export {
  STAGE_ATTEMPT_FAILURE_KINDS,
  type StageAttemptFailureKind,
  buildStageLogFields,
} from './runner/attempt-failures.js';
export {
  UnrecoverableStageError,
  StageInputMissingError,
  RetryableStageError,
  DependencyCrashedError,
  DependencyUnavailableError,
} from './runner/stage-errors.js';
export { StageRunner } from './runner/stage-runner.js';
export type {
  CommitPartialResult,
  StageCommitCallback,
  StageCommitWithNextStages,
  StageHandler,
} from './runner/stage-handler.js';
export type { StageRunnerOptions, StageRunOutcome } from './runner/stage-runner-options.js';
export { addOrRestartStages, completeStage, type NewStage } from './stages/job-stage.repository.js';
export { type ClaimedStage, claimNextStage, renewLeases } from './stages/stage-claim.repository.js';
export {
  scheduleOrClaimAggregationIfLastChunk,
  scheduleAggregationIfChunksDone,
} from './stages/aggregation-schedule.repository.js';
export { scheduleChunksOrAggregation } from './stages/schedule-chunks.js';
export { buildChunkStageName, type StageName, getStageQueue } from './stages/stage-names.js';
export { LeaseLostError } from './stages/lease-lost-error.js';
export {
  readLongestWaitPerQueue,
  type ReclaimedStage,
  type RestoredAudioEtagChange,
  resumeRestoredJobs,
  restartOpenStagesOfJob,
} from './maintenance/maintenance.repository.js';
export {
  MAX_VOCABULARY_NAME_LENGTH,
  MAX_VOCABULARY_TERM_LENGTH,
  MAX_VOCABULARY_TERMS,
} from './vocabularies/vocabulary-limits.js';
export { VocabularyService } from './vocabularies/vocabulary.service.js';
export type { VocabularySummary } from './vocabularies/vocabulary.repository.js';
export { JobSweeper, type JobSweeperOptions } from './maintenance/job-sweeper.js';
export { LeaderElection } from './maintenance/leader-election.js';
export {
  releaseMaintenanceLease,
  tryTakeMaintenanceLease,
} from './maintenance/maintenance-lease.repository.js';
export {
  buildUploadedAudioKey,
  buildChunkKey,
  buildTranscriptDocumentKey,
  buildDocumentKeyFromResultKey,
  buildFetchedAudioKey,
  isTranscriptWithLowerFence,
  parseJobIdFromKey,
  buildRenderedTranscriptKey,
  buildTranscriptPrefix,
  buildWorkPrefix,
} from './stages/object-keys.js';
export * from './quotas/index.js';
export {
  deleteExpiredJobsByIds,
  deleteStagesAndEventsOfOldJobs,
  findExpiredJobIds,
} from './retention/job-retention.repository.js';
