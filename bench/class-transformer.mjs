import 'reflect-metadata';
import { Expose, plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { toJobResponse } from '../dist/apps/api/src/jobs/job.dto.js';
import { toJobListResponse } from '../dist/apps/api/src/jobs/job-list.dto.js';
import { JobIdDto } from '../dist/apps/api/src/jobs/job-actions.dto.js';
import { createValidatedDto } from '../dist/apps/api/src/validation/create-validated-dto.js';
import { runInterleaved, median, medianRatio } from './lib/statistics.mjs';

const PAGE = 50;
const FULL = { rounds: 15, calls: 20_000 };
const QUICK = { rounds: 3, calls: 5_000 };

const JOB = {
  id: '019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10',
  status: 'completed',
  failedStage: null,
  reason: null,
  createdAt: '2026-11-20T09:30:00.123456Z',
  completedAt: '2026-11-20T09:30:07.001250Z',
  options: { output_type: 'json' },
  duration: 61.44,
  metadata: { file: 'interview-17.mp3', customer: '4711' },
};
const DOWNLOAD_URL = `https://api.example.com/transcripts/${JOB.id}?expires=1795000000&signature=${'7'.repeat(43)}`;
const JOBS = Array.from({ length: PAGE }, () => JOB);

/** Response classes whose fields are exposed from the properties of the view. */
const ExposedJob = buildExposedClass({
  job_id: 'id',
  status: 'status',
  download_url: 'downloadUrl',
  failed_stage: 'failedStage',
  reason: 'reason',
  created_at: 'createdAt',
  completed_at: 'completedAt',
  output_type: 'outputType',
  duration_seconds: 'duration',
  metadata: 'metadata',
});
const ExposedRow = buildExposedClass({ job_id: 'id', created_at: 'createdAt' });
const ONLY_EXPOSED = { excludeExtraneousValues: true };

const SIDES = {
  'GET a job, response': {
    ours: () => JSON.stringify(toJobResponse(JOB, DOWNLOAD_URL)),
    classTransformer: () => {
      const view = { ...JOB, downloadUrl: DOWNLOAD_URL, outputType: JOB.options.output_type };
      return JSON.stringify(plainToInstance(ExposedJob, view, ONLY_EXPOSED));
    },
  },
  [`GET a page of ${PAGE} jobs, response`]: {
    ours: () => JSON.stringify(toJobListResponse({ jobs: JOBS, nextBefore: null })),
    classTransformer: () =>
      JSON.stringify({ jobs: plainToInstance(ExposedRow, JOBS, ONLY_EXPOSED), next_before: null }),
  },
  'POST upload/complete, body': {
    ours: () => JSON.stringify(validateDto(Object.assign(new JobIdDto(), { job_id: JOB.id }))),
    classTransformer: () => JSON.stringify(createValidatedDto(JobIdDto, { job_id: JOB.id })),
  },
};

/**
 * CPU time of request and response objects of three routes by class-transformer, compared with plain functions. Both sides
 * must yield the same JSON.
 *
 * @param {{ quick: boolean }} options
 * @returns {Promise<import('./lib/report.mjs').Result>}
 */
export async function benchClassTransformer({ quick }) {
  const { rounds, calls } = quick ? QUICK : FULL;
  const measured = {};
  for (const [route, { ours, classTransformer: classTransformerCall }] of Object.entries(SIDES)) {
    if (ours() !== classTransformerCall()) throw new Error(`The two sides of ${route} differ.`);
    const sides = {
      ours: () => measureMicrosPerCall(ours, calls),
      baseline: () => measureMicrosPerCall(classTransformerCall, calls),
    };
    await runInterleaved(1, sides);
    measured[route] = await runInterleaved(rounds, sides);
  }
  return {
    name: 'class-transformer',
    setting: `Request and response objects by plain functions and by class-transformer; medians of ${rounds} rounds of ${calls} calls.`,
    findings: Object.entries(measured).map(([route, { ours, baseline }]) => ({
      what: `${route}: CPU time by function, and by class-transformer`,
      ours: `${median(ours).toFixed(1)} µs`,
      baseline: `${median(baseline).toFixed(1)} µs`,
      value: medianRatio(ours, baseline, (micros) => micros),
      unit: '',
      target: null,
    })),
    rounds: measured,
  };
}

/** @param {Record<string, string>} sources property by field */
function buildExposedClass(sources) {
  class Exposed {
    job_id;
  }
  for (const [field, name] of Object.entries(sources)) Expose({ name })(Exposed.prototype, field);
  return Exposed;
}

/** @param {object} dto */
function validateDto(dto) {
  if (validateSync(dto, { forbidUnknownValues: true, stopAtFirstError: true }).length > 0)
    throw new Error('The DTO is invalid.');
  return dto;
}

/** @param {() => unknown} call @param {number} calls */
async function measureMicrosPerCall(call, calls) {
  const before = process.cpuUsage();
  for (let count = 0; count < calls; count += 1) call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}
