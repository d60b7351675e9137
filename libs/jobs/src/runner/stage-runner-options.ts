import type { DataSource } from 'typeorm';
import type { JobHooks } from '../lifecycle/job-hooks.js';
import type { ClaimedStage } from '../stages/stage-claim.repository.js';
import type { OutboxMessage } from '../outbox/outbox.repository.js';
import type { QueueName } from '../queue/queues.js';
import type { OnStageAttemptFailed, StageFailureLogger } from './attempt-failures.js';

/** `released`: for another attempt, of this stage or of an earlier one of its job. */
export type StageRunOutcome = 'committed' | 'idle' | 'stale' | 'released' | 'failed';

export interface StageRunnerOptions {
  dataSource: DataSource;
  hooks: JobHooks;
  leaseSeconds: number;
  /** Per attempt. */
  stageTimeoutSeconds: number;
  /** Stages of a queue that one account may have running; any number where it is absent. */
  maxRunningPerAccount?: Partial<Record<QueueName, number>>;
  /** Counted attempts before the job fails, without crashes. */
  maxAttempts: number;
  /** Crashes of one stage before its job fails: more than attempts, because another stage may have ended the process. */
  maxCrashes: number;
  /** Before a counted retry, multiplied by the number of the attempt. */
  retryDelaySeconds: number;
  /**
   * Whether messages go back to the queue while the database is unavailable, since other processes may reach both. Leave it
   * out if the queue is in the same database.
   */
  returnsMessages?: boolean;
  /** Runs a claimed stage from its work to the commit, the release or the end of the job. */
  wrapRun?: (stage: ClaimedStage, run: () => Promise<StageRunOutcome>) => Promise<StageRunOutcome>;
  logger: StageFailureLogger;
  onAttemptFailed?: OnStageAttemptFailed;
  /** Called after a commit that made stages due, with their queue messages. */
  onCommitted: (messages: readonly OutboxMessage[]) => void;
}
