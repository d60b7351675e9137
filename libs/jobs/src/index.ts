export { appendEvent, EVENT_CHANNEL } from './events/append-event.js';
export { isTerminalEvent, readEvents, type StoredEvent } from './events/read-events.js';
export { JobsModule } from './jobs.module.js';
export { JOB_QUEUE, type JobsOptions } from './jobs-options.js';
export { abortUpload, wasAborted } from './lifecycle/abort-upload.js';
export { AUDIO_GONE } from './lifecycle/audio-gone.js';
export { cancelJob } from './lifecycle/cancel-job.js';
export {
  completeFromTranscript,
  NotPaidFor,
  type StoredTranscript,
} from './lifecycle/complete-from-transcript.js';
export {
  audioKeyOf,
  createJob,
  createJobAlone,
  type CreatedJob,
  type NewJob,
} from './lifecycle/create-job.js';
export {
  combineEffects,
  type EndedJob,
  type FinishedJob,
  JOB_EFFECTS,
  type JobEffects,
} from './lifecycle/effects.js';
export { enqueueJob } from './lifecycle/enqueue-job.js';
export { finishJob } from './lifecycle/finish-job.js';
export { givenUpAs } from './lifecycle/given-up.js';
export { nameSpeakers } from './lifecycle/name-speakers.js';
export { failed, givenUp, type Outcome } from './lifecycle/outcome.js';
export { isTerminal, TRANSITIONS } from './lifecycle/states.js';
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
  forgetAudioIntake,
  forgetExpiredIntakes,
} from './orphans/audio-intake.js';
export { findOrphans, isStillOrphan } from './orphans/find-orphans.js';
export {
  OBJECT_PREFIXES,
  type ObjectPrefix,
  objectVerdicts,
  type ObjectVerdict,
} from './orphans/object-verdicts.js';
export {
  type ObservedOrphan,
  type Orphan,
  OrphanObservations,
  type OrphanScope,
} from './orphans/orphan-observations.js';
export { Loop, type LoopOptions } from './outbox/loop.js';
export { relayOnce } from './outbox/relay.js';
export { Relay } from './outbox/relay.service.js';
export { settledWithin } from './queue/bounded.js';
export { createJobQueue } from './queue/create-job-queue.js';
export { type Consumer, type Delivery, type JobQueue, QueueUnavailable } from './queue/job-queue.js';
export { createQueuePool, migrateQueue } from './queue/postgres-backend.js';
export type { DeliveryReport, HandledOutcome, JobQueueOptions } from './queue/queue-options.js';
export { QUEUE_NAMES, type QueueName, type QueuePayloads } from './queue/queues.js';
export { type ChunkRow, chunkResults, chunkVoices, type VoicesRow } from './reads/chunk-results.js';
export { existingJobs } from './reads/existing-jobs.js';
export { checkFailed } from './reads/check-failed.js';
export { type DeclaredSizes, readDeclaredSizes } from './reads/declared.js';
export { findJob, type JobView } from './reads/find-job.js';
export { type JobFilter, listJobDetails, type ListedJobDetails } from './reads/list-job-details.js';
export { isoMoment } from './reads/iso-moment.js';
export { type JobPage, listJobs, type ListedJob } from './reads/list-jobs.js';
export {
  type AttemptFailed,
  ATTEMPT_FAILURE_KINDS,
  type FailureKind,
  stageLogFields,
} from './runner/attempt-failure.js';
export { StageFailure, StageInputMissing, StageTrouble, StageWaits } from './runner/stage-failure.js';
export {
  type CommitAhead,
  type StageCommit,
  StageRunner,
  type StageResult,
  type StageRunnerOptions,
  type StageWork,
} from './runner/stage-runner.js';
export { whileDatabaseAway } from './runner/while-away.js';
export { addStages, type NewStage } from './stages/add-stages.js';
export { type ClaimedStage, claimStage, renewLease } from './stages/claim-stage.js';
export { completeStage, countStep } from './stages/complete-stage.js';
export { aggregateWhenDone, finishCut } from './stages/finish-cut.js';
export { chunkStage, type StageName, stageQueue } from './stages/stage-names.js';
export { StaleLease } from './stages/stale-lease.js';
export { type RestoredAudio, resumeRestored } from './upkeep/resume-restored.js';
export { retryJob } from './upkeep/retry-job.js';
export type { AbandonedStage } from './upkeep/sweep.js';
export { Sweeper } from './upkeep/sweeper.js';
export {
  chunkKey,
  documentKey,
  documentKeyBeside,
  fetchedAudioKey,
  isOfEarlierAttempt,
  jobIdOf,
  renderingKey,
  transcriptPrefix,
  workPrefix,
} from './stages/object-keys.js';
export type { ChunkInput, ChunkOutput } from './stages/chunk-data.js';
