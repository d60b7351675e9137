import type { JobEndReport, JobHooks } from '@app/jobs';
import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import { buildJobTraceLogFields } from './tracing/trace-context.js';

type Label = 'outcome' | 'stage' | 'cause';

/** All chunks share one label value, to limit the number of series. */
const FAILED_STAGES = ['upload', 'preprocess', 'chunk', 'aggregation', 'billing'];
/** The recording was decoded before them, so their failures are not caused by what a caller sent. */
const STAGES_AFTER_DECODING = new Set(['chunk', 'aggregation']);

/** Call it after the end of the job is committed. */
export class JobEndReporter implements Pick<JobHooks, 'afterJobEnd'> {
  private readonly endings: Counter<Label>;

  constructor(
    private readonly logger: Logger,
    registry: Registry,
  ) {
    this.endings = new Counter({
      name: 'zephyr_jobs_ended_total',
      help: 'Jobs ended by this process: `completed`, `failed` (by stage, and `caller` or `service` as the cause) or `cancelled`.',
      labelNames: ['outcome', 'stage', 'cause'],
      registers: [registry],
    });
    // Initializes the counters, so that the first failure is an increase.
    for (const stage of FAILED_STAGES)
      for (const cause of ['service', 'caller']) this.endings.inc({ outcome: 'failed', stage, cause }, 0);
    for (const outcome of ['completed', 'cancelled'])
      this.endings.inc({ outcome, stage: 'none', cause: 'none' }, 0);
  }

  afterJobEnd({ id, accountId, requestId, traceparent, source, outcome, ...seconds }: JobEndReport): void {
    const failure = outcome.status === 'failed' ? outcome : undefined;
    const ending = failure?.stage === 'cancelled' ? 'cancelled' : outcome.status;
    const stage = ending === 'failed' ? (failure?.stage.split(':')[0] ?? 'none') : 'none';
    const isServiceFailure = failure?.serviceFailure !== undefined || STAGES_AFTER_DECODING.has(stage);
    const cause = isServiceFailure ? 'service' : 'caller';
    this.endings.inc({ outcome: ending, stage, cause: ending === 'failed' ? cause : 'none' });
    const fields = {
      job_id: id,
      account_id: accountId,
      ...(requestId !== null && { request_id: requestId }),
      ...buildJobTraceLogFields(traceparent),
      outcome: ending,
      ...(ending === 'failed' && { failed_stage: failure?.stage, reason: failure?.reason }),
      ...(failure?.serviceFailure && { given_up: failure.serviceFailure }),
      source,
      audio_seconds: roundToMillis(seconds.audioSeconds),
      queued_seconds: roundToMillis(seconds.queuedSeconds),
      total_seconds: roundToMillis(seconds.totalSeconds),
    };
    // Failures of the service concern the operator, others only the caller.
    if (isServiceFailure) this.logger.warn(fields, 'job ended');
    else this.logger.info(fields, 'job ended');
  }
}

function roundToMillis(seconds: number | null): number | null {
  return seconds === null ? null : Math.round(seconds * 1_000) / 1_000;
}
