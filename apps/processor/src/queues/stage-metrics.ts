import { ATTEMPT_FAILURE_KINDS, type AttemptFailureKind, QUEUE_NAMES, type QueueName } from '@app/jobs';
import { UnreadableChunkError, EngineFailedError, EngineUnavailableError } from '@app/speech';
import { Counter, type Registry } from 'prom-client';

/** What goes wrong with stages; all chunks of a job are one stage here. */
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
      for (const kind of ATTEMPT_FAILURE_KINDS) this.failures.inc({ stage, kind }, 0);
    }
  }

  recordAttemptFailure(stage: QueueName, kind: AttemptFailureKind, error: unknown): void {
    this.failures.inc({ stage, kind });
    const ofEngine = classifyEngineFailure(error);
    if (ofEngine) this.engine.inc({ kind: ofEngine });
  }

  recordLeaseLost(stage: QueueName): void {
    this.leases.inc({ stage });
  }
}

/** Looks at the causes as well: what a stage waits for is wrapped. */
function classifyEngineFailure(error: unknown): 'unavailable' | 'failed' | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof EngineUnavailableError) return 'unavailable';
  if (error instanceof EngineFailedError || error instanceof UnreadableChunkError) return 'failed';
  return classifyEngineFailure(error.cause);
}
