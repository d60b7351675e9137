import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse, ApiParam, ApiQuery } from '@nestjs/swagger';
import { ApiProblems, ApiRoute } from '../openapi/api-route.js';
import { EXAMPLE } from '../openapi/examples.js';
import { ApiStatus } from '../uploads/status.openapi.js';
import { CheckFailedResponse } from './job-actions.dto.js';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from './job-list-query.js';
import { JobListResponse } from './job-list.dto.js';
import { JobResponse } from './job.dto.js';

const LIMIT = { type: 'integer', minimum: 1, maximum: MAX_PAGE_SIZE, default: DEFAULT_PAGE_SIZE } as const;
const BEFORE = { type: 'string', format: 'date-time', examples: [EXAMPLE.createdAt] } as const;

/** The job in the path. What is no UUID is a job that does not exist. */
export function ApiJobParam(): MethodDecorator {
  const schema = { type: 'string', format: 'uuid', examples: [EXAMPLE.jobId] };
  return ApiParam({ name: 'job_id', schema, description: 'The job.' });
}

export function ApiListJobs(): MethodDecorator {
  return applyDecorators(
    ApiRoute({
      id: 'listJobs',
      summary: 'List your jobs, newest first',
      description: `A page at a time. Pass \`next_before\` on as \`before\`, as it is, and no job is skipped or repeated, whatever is created meanwhile.`,
    }),
    ApiQuery({ name: 'limit', required: false, schema: LIMIT, description: 'Jobs a page.' }),
    ApiQuery({
      name: 'before',
      required: false,
      schema: BEFORE,
      description: 'Jobs created before this moment (ISO 8601; UTC where there is no offset).',
    }),
    ApiOkResponse({ type: JobListResponse, description: 'A page.' }),
    ApiProblems('query_invalid'),
  );
}

export function ApiGetJob(): MethodDecorator {
  return applyDecorators(
    ApiRoute({
      id: 'getJob',
      summary: 'Retrieve one job',
      description: 'With a fresh address of its transcript.',
    }),
    ApiJobParam(),
    ApiOkResponse({ type: JobResponse, description: 'The job.' }),
    ApiProblems('job_not_found'),
  );
}

export function ApiCancelJob(): MethodDecorator {
  return applyDecorators(
    ApiRoute({
      id: 'cancelJob',
      summary: 'Cancel a job',
      description: `Ends a job of which anything is still unprocessed: it is \`failed\` at stage \`cancelled\`. What was processed is charged, the rest is not. When all of the audio has been processed nothing changes.`,
    }),
    ApiStatus('cancelled', '`cancelled`, once; the status of the job when there is nothing to cancel.'),
    ApiProblems('job_not_found', 'validation_failed'),
  );
}

export function ApiCheckFailed(): MethodDecorator {
  return applyDecorators(
    ApiRoute({ id: 'checkFailed', summary: 'Ask which of many jobs have failed' }),
    ApiOkResponse({ type: CheckFailedResponse, description: 'One answer an id, in the same order.' }),
    ApiProblems('validation_failed'),
  );
}
