export { appendEvent, EVENT_CHANNEL } from './events/append-event.js';
export { isTerminalEvent, readEvents, type StoredEvent } from './events/read-events.js';
export { JobsModule } from './jobs.module.js';
export { JOB_QUEUE, type JobsOptions } from './jobs-options.js';
export { abortUpload, wasAborted } from './lifecycle/abort-upload.js';
export { cancelJob } from './lifecycle/cancel-job.js';
export {
  audioKeyOf,
  createJob,
  createJobAlone,
  type CreatedJob,
  type NewJob,
} from './lifecycle/create-job.js';
export { combineEffects, type FinishedJob, JOB_EFFECTS, type JobEffects } from './lifecycle/effects.js';
export { enqueueJob } from './lifecycle/enqueue-job.js';
export { finishJob } from './lifecycle/finish-job.js';
export { givenUpAs } from './lifecycle/given-up.js';
export { nameSpeakers } from './lifecycle/name-speakers.js';
export { failed, givenUp, type Outcome } from './lifecycle/outcome.js';
export { isTerminal, TRANSITIONS } from './lifecycle/states.js';
export {
  DEFAULT_OPTIONS,
  type JobOptions,
  MODELS,
  OUTPUT_TYPES,
  type OutputType,
  TIERS,
} from './options/job-options.js';
export { Loop, type LoopOptions } from './outbox/loop.js';
export { relayOnce } from './outbox/relay.js';
export { Relay } from './outbox/relay.service.js';
export { createJobQueue } from './queue/create-job-queue.js';
export { type Consumer, type Delivery, type JobQueue, QueueUnavailable } from './queue/job-queue.js';
export { createQueuePool, migrateQueue } from './queue/postgres-backend.js';
export type { DeliveryReport, JobQueueOptions } from './queue/queue-options.js';
export { QUEUE_NAMES, type QueueName, type QueuePayloads } from './queue/queues.js';
export { type ChunkRow, chunkResults, chunkVoices, type VoicesRow } from './reads/chunk-results.js';
export { checkFailed } from './reads/check-failed.js';
export { findJob, type JobView } from './reads/find-job.js';
export { type JobPage, listJobs, type ListedJob } from './reads/list-jobs.js';
export { StageFailure, StageTrouble, StageWaits } from './runner/stage-failure.js';
export {
  type CommitAhead,
  type StageCommit,
  StageRunner,
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
export { retryJob } from './upkeep/retry-job.js';
export { Sweeper } from './upkeep/sweeper.js';
export {
  chunkKey,
  documentKey,
  documentKeyBeside,
  fetchedAudioKey,
  renderingKey,
  transcriptPrefix,
  workPrefix,
} from './stages/object-keys.js';
export type { ChunkInput, ChunkOutput } from './stages/chunk-data.js';
