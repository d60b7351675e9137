import { type JobEndReport, buildFailedOutcome, buildServiceFailureOutcome } from '@app/jobs';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { JobEndReporter } from './job-end-reporter.js';

const JOB: Omit<JobEndReport, 'outcome'> = {
  id: 'job',
  accountId: 'account',
  requestId: 'request',
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  source: 'upload',
  audioSeconds: 2.34567,
  totalSeconds: 12,
  queuedSeconds: 10,
};

function report() {
  const lines: { level: string; fields: Record<string, unknown> }[] = [];
  const at = (level: string) => (fields: Record<string, unknown>) => void lines.push({ level, fields });
  const registry = new Registry();
  const reporter = new JobEndReporter({ info: at('info'), warn: at('warn') } as unknown as Logger, registry);
  const counted = async () =>
    (await registry.metrics()).split('\n').filter((line) => /_total\{.*\} [1-9]/.test(line));
  return { reporter, lines, counted };
}

describe('JobEndReporter', () => {
  it('logs one line with ids, outcome and durations, and increments the counter', async () => {
    const { reporter, lines, counted } = report();
    reporter.afterJobEnd({ ...JOB, outcome: { status: 'completed', resultKey: 'key' } });
    expect(lines).toEqual([
      {
        level: 'info',
        fields: {
          job_id: 'job',
          account_id: 'account',
          request_id: 'request',
          trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
          outcome: 'completed',
          source: 'upload',
          audio_seconds: 2.346,
          queued_seconds: 10,
          total_seconds: 12,
        },
      },
    ]);
    expect(await counted()).toEqual([
      'zephyr_jobs_ended_total{outcome="completed",stage="none",cause="none"} 1',
    ]);
  });

  it('logs stage and reason of a failure and counts all chunks as one stage', async () => {
    const { reporter, lines, counted } = report();
    reporter.afterJobEnd({ ...JOB, outcome: buildFailedOutcome('chunk:17', 'It cannot be read.') });
    expect(lines).toMatchObject([
      {
        level: 'warn',
        fields: { outcome: 'failed', failed_stage: 'chunk:17', reason: 'It cannot be read.' },
      },
    ]);
    expect(await counted()).toEqual([
      'zephyr_jobs_ended_total{outcome="failed",stage="chunk",cause="service"} 1',
    ]);
  });

  it('logs a warning when the service gave up on the job, in whatever stage', async () => {
    const { reporter, lines, counted } = report();
    reporter.afterJobEnd({ ...JOB, outcome: buildServiceFailureOutcome('preprocess', 'crashing') });
    expect(lines).toMatchObject([{ level: 'warn', fields: { given_up: 'crashing' } }]);
    expect(await counted()).toEqual([
      'zephyr_jobs_ended_total{outcome="failed",stage="preprocess",cause="service"} 1',
    ]);
  });

  it('counts what the caller sent as caused by the caller', async () => {
    const { reporter, lines, counted } = report();
    reporter.afterJobEnd({ ...JOB, outcome: buildFailedOutcome('preprocess', 'It is no audio.') });
    expect(lines).toMatchObject([{ level: 'info' }]);
    expect(await counted()).toEqual([
      'zephyr_jobs_ended_total{outcome="failed",stage="preprocess",cause="caller"} 1',
    ]);
  });

  it('counts a cancelled job as cancelled, not as failed', async () => {
    const { reporter, lines, counted } = report();
    reporter.afterJobEnd({
      ...JOB,
      audioSeconds: null,
      outcome: buildFailedOutcome('cancelled', 'The job was cancelled.'),
    });
    expect(lines).toMatchObject([{ level: 'info', fields: { outcome: 'cancelled', audio_seconds: null } }]);
    expect(lines[0]?.fields).not.toHaveProperty('failed_stage');
    expect(await counted()).toEqual([
      'zephyr_jobs_ended_total{outcome="cancelled",stage="none",cause="none"} 1',
    ]);
  });
});
