export { readTranscribedChunks, type TranscribedChunkText } from './reads/transcribed-chunk.repository.js';
export {
  deleteTranscriptCorrection,
  deleteTranscriptCorrections,
  listTranscriptCorrections,
  saveTranscriptCorrection,
} from './corrections/transcript-correction.repository.js';
export {
  JOB_EVENT_CHANNEL,
  readLastEventNumbers,
  isTerminalEventType,
  readJobEvents,
  type StoredJobEvent,
} from './events/job-event.repository.js';
export type { AudioSizes } from './reads/audio-sizes.repository.js';
export { JobsModule } from './jobs.module.js';
export type { JobsModuleOptions } from './jobs-module-options.js';
export { endJobOfAbortedUpload, isUploadAborted, cancelJob } from './lifecycle/cancel-job.js';
export {
  AUDIO_MISSING_FAILURE_REASON,
  parseServiceFailureCode,
  buildFailedOutcome,
  buildServiceFailureOutcome,
  type JobOutcome,
} from './lifecycle/job-outcome.js';
export {
  completeJobFromRestoredTranscript,
  InsufficientCreditsError,
  type StoredTranscript,
} from './lifecycle/complete-job-from-restored-transcript.js';
export { buildFailedEventOfDeletedJob, deleteJob } from './deletion/delete-job.js';
export { type ObjectDeleter, deleteObjectsOfDeletedJob } from './deletion/delete-objects-of-deleted-job.js';
export { findDeletedJobsDueForFinalDeletion } from './deletion/deleted-job.repository.js';
export {
  createJobInTransaction,
  createJobReturningMessages,
  enqueueJob,
  enqueueUploadedJob,
} from './lifecycle/create-job.js';
export {
  lockPendingUpload,
  type NewJob,
  extendUploadSession,
  recordFetchedAudio,
  mergeSpeakerNames,
} from './lifecycle/job.repository.js';
export {
  completePreprocess,
  completeStageAsStep,
  recordCompletedStep,
} from './lifecycle/job-steps.repository.js';
export {
  combineJobHooks,
  type JobEndReport,
  type FinishedJob,
  JOB_HOOKS_TOKEN,
  type JobHooks,
} from './lifecycle/job-hooks.js';
export { completeJob, finishJob } from './lifecycle/finish-job.js';
export type { LastStageCompletion } from './lifecycle/job-end.repository.js';
export { isTerminalStatus } from './lifecycle/job-states.js';
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
  completeAudioIntake,
  expireAudioIntakeNow,
  deleteAudioIntake,
  deleteExpiredIntakesWithoutAudio,
} from './orphans/audio-intake.repository.js';
export { findOrphans, isStillOrphan } from './orphans/find-orphans.js';
export {
  OBJECT_PREFIXES,
  type ObjectPrefix,
  classifyStoredObjects,
  type StoredObjectVerdict,
} from './orphans/stored-object.repository.js';
export {
  type Orphan,
  deleteOrphanObservations,
  deleteUnseenOrphanObservations,
  findOrphansOlderThan,
  listObservedOrphans,
  recordOrphanObservations,
  type OrphanObservationFilter,
} from './orphans/orphan-observation.repository.js';
export { countDueOutboxMessages, type OutboxMessage } from './outbox/outbox.repository.js';
export { relayOutboxBatch, OutboxRelay } from './outbox/outbox-relay.service.js';
export type { BullJob } from './queue/backoff-worker.js';
export { JobQueue } from './queue/job-queue.js';
export { createQueuePool, QUEUE_POOL_SIZE, migrateQueueSchema } from './queue/postgres-adapter.js';
export { QueueConsumer } from './queue/queue-consumer.js';
export { QueueModule } from './queue/queue.module.js';
export {
  MessageReturnedError,
  type QueueHandlerOutcome,
  type QueueMessage,
  type QueueMessageOutcome,
  type QueueMessageReport,
  QueueUnavailableError,
} from './queue/queue-message.js';
export type { QueueServerOptions } from './queue/queue-options.js';
export { QUEUE_NAMES, type QueueName, type QueuePayloads } from './queue/queues.js';
export {
  type SpeakerBlockChunk,
  ChunkResultsReader,
  type ChunkSpeakerFeaturesRow,
  type ChunkResultEngine,
  type ChunkInput,
  type ChunkOutput,
  type ChunkOutputWord,
  type ChunkResultRow,
} from './stages/chunk-result.repository.js';
export {
  countAllUploadingAndQueuedJobs,
  findAccountIdOfJob,
  findExistingJobIds,
  findJobResult,
  isUploadPending,
  type JobResultView,
  getJob,
  readJobFailedFlags,
  buildIsoTimestampSql,
  type JobView,
} from './reads/job-view.repository.js';
export {
  type JobFilter,
  type JobPage,
  type JobIdAndCreationTime,
  type JobListItemWithDetails,
  listJobsWithDetails,
  listJobIdsAndCreationTimes,
} from './reads/job-list.repository.js';
export {
  getJobDetails,
  type JobDetails,
  type JobSummary,
  type JobSummaryFilter,
  listJobSummaries,
} from './reads/job-summary.repository.js';
export {
  changeAccountRetention,
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
  DependencyUnavailableError,
} from './runner/stage-errors.js';
export {
  type CommitPartialResult,
  type StageCommitCallback,
  type StageHandOver,
  StageRunner,
  type StageRunOutcome,
  type StageWork,
} from './runner/stage-runner.js';
export { retryWhileDatabaseUnavailable } from './runner/retry-while-database-unavailable.js';
export { addOrRestartStages, completeStage, type NewStage } from './stages/job-stage.repository.js';
export { type ClaimedStage, claimNextStage, renewLeases } from './stages/stage-claim.repository.js';
export {
  scheduleAggregationAfterChunk,
  scheduleAggregationIfChunksDone,
} from './stages/aggregation-schedule.repository.js';
export { scheduleChunksOrAggregation } from './stages/schedule-chunks.js';
export { buildChunkStageName, type StageName, getStageQueue } from './stages/stage-names.js';
export { LeaseLostError } from './stages/lease-lost-error.js';
export {
  readLongestWaitPerQueue,
  type ReclaimedStage,
  type RestoredAudioEtag,
  resumeRestoredJobs,
  restartOpenStages,
} from './maintenance/maintenance.repository.js';
export {
  MAX_VOCABULARY_NAME_LENGTH,
  MAX_VOCABULARY_TERM_LENGTH,
  MAX_VOCABULARY_TERMS,
} from './vocabularies/vocabulary-limits.js';
export { AccountVocabularies, type VocabularyChangeRecorder } from './vocabularies/account-vocabularies.js';
export type { VocabularySummary } from './vocabularies/vocabulary.repository.js';
export { JobSweeper } from './maintenance/job-sweeper.js';
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
  isTranscriptOfEarlierAttempt,
  parseJobIdFromKey,
  buildRenderedTranscriptKey,
  buildTranscriptPrefix,
  buildWorkPrefix,
} from './stages/object-keys.js';
export {
  type OpenJobsUsage,
  computeUploadUrlMaxBytes,
  findExceededQuota,
  QUOTA_NAMES,
  type QuotaName,
  type QuotaOverrides,
} from './quotas/account-quotas.js';
export {
  replaceQuotaOverrides,
  readOpenJobsUsageWithQuotaOverrides,
} from './quotas/account-usage.repository.js';
export {
  deleteExpiredJobs,
  deleteDetailsOfOldJobs,
  findExpiredJobs,
} from './retention/job-retention.repository.js';
