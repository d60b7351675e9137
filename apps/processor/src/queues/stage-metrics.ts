import {
  STAGE_ATTEMPT_FAILURE_KINDS,
  type StageAttemptFailureKind,
  QUEUE_NAMES,
  type QueueName,
  type QueueMessageReport,
} from '@app/jobs';
import { UnreadableChunkError, EngineFailedError, EngineUnavailableError } from '@app/speech';
import { Counter, type Registry, Histogram } from 'prom-client';

/** All chunks of a job count as one stage. */
export class StageMetrics {
  private readonly failures: Counter<'stage' | 'kind'>;
  private readonly leases: Counter<'stage'>;
  private readonly engine: Counter<'kind'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.failures = new Counter({
      name: 'zephyr_stage_attempts_failed_total',
      help: 'Failed attempts of stages in this process, by kind of failure.',
      labelNames: ['stage', 'kind'],
      registers,
    });
    this.leases = new Counter({
      name: 'zephyr_leases_lost_total',
      help: 'Expired leases of other processes that this process found.',
      labelNames: ['stage'],
      registers,
    });
    this.engine = new Counter({
      name: 'zephyr_engine_failures_total',
      help: 'Attempts of chunks that failed in the speech engine: `unavailable` (it cannot work now) or `failed` (on this chunk).',
      labelNames: ['kind'],
      registers,
    });
    // Present from the start, so that the first one is an increase.
    for (const kind of ['unavailable', 'failed']) this.engine.inc({ kind }, 0);
    for (const stage of QUEUE_NAMES) {
      this.leases.inc({ stage }, 0);
      for (const kind of STAGE_ATTEMPT_FAILURE_KINDS) this.failures.inc({ stage, kind }, 0);
    }
  }

  recordAttemptFailure(stage: QueueName, kind: StageAttemptFailureKind, error: unknown): void {
    this.failures.inc({ stage, kind });
    const engineFailure = classifyEngineFailure(error);
    if (engineFailure) this.engine.inc({ kind: engineFailure });
  }

  recordLeaseLost(stage: QueueName): void {
    this.leases.inc({ stage });
  }
}

/** Checks the causes too, because errors of dependencies are wrapped. */
function classifyEngineFailure(error: unknown): 'unavailable' | 'failed' | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof EngineUnavailableError) return 'unavailable';
  if (error instanceof EngineFailedError || error instanceof UnreadableChunkError) return 'failed';
  return classifyEngineFailure(error.cause);
}

/** Seconds: fine enough that a percentile of minutes is not that of its bucket. */
const BUCKETS = [0.01, 0.05, 0.25, 1, 5, 15, 30, 60, 120, 180, 300, 600, 1_800];

export function createQueueMessageRecorder(registry: Registry): (report: QueueMessageReport) => void {
  const wait = new Histogram({
    name: 'zephyr_queue_message_wait_seconds',
    help: 'Time that a queue message waited for a processor.',
    labelNames: ['queue'],
    buckets: BUCKETS,
    registers: [registry],
  });
  const run = new Histogram({
    name: 'zephyr_queue_message_duration_seconds',
    help: 'Time that a processor worked on a queue message, by outcome.',
    labelNames: ['queue', 'outcome'],
    buckets: BUCKETS,
    registers: [registry],
  });
  return ({ queue, outcome, waitMs, runMs }) => {
    wait.observe({ queue }, waitMs / 1000);
    run.observe({ queue, outcome }, runMs / 1000);
  };
}
