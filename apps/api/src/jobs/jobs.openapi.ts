import { applyDecorators } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiParam, ApiQuery } from '@nestjs/swagger';
import { ApiErrorCodes, ApiRoute } from '../openapi/api-route.js';
import { EXAMPLE_VALUES } from '../openapi/example-values.js';
import { ApiJobActionStatusResponse } from './job-actions.openapi.js';
import { JobFailedFlagsResponse } from './job-actions.dto.js';
import { DEFAULT_JOB_PAGE_SIZE, MAX_JOB_PAGE_SIZE } from './parse-job-list-query.js';
import { JOB_STATUSES } from './job-fields.openapi.js';
import { EXTRA_JOB_FIELD_NAMES, JobListResponse } from './job-list.dto.js';
import { METADATA_SCHEMA } from './job-metadata.js';
import { JobResponse } from './job.dto.js';

const LIMIT_SCHEMA = {
  type: 'integer',
  minimum: 1,
  maximum: MAX_JOB_PAGE_SIZE,
  default: DEFAULT_JOB_PAGE_SIZE,
} as const;
const BEFORE_SCHEMA = { type: 'string', format: 'date-time', examples: [EXAMPLE_VALUES.createdAt] } as const;

const LIST_EXAMPLE = {
  jobs: [{ job_id: EXAMPLE_VALUES.jobId, created_at: EXAMPLE_VALUES.createdAt }],
  next_before: EXAMPLE_VALUES.createdAt,
};

/** Entries of metadata as query parameters. */
export function ApiMetadataQuery(description: string): MethodDecorator {
  const { examples: _, ...schema } = METADATA_SCHEMA;
  return ApiQuery({
    name: 'metadata',
    required: false,
    style: 'deepObject',
    explode: true,
    schema: schema as Record<string, unknown>,
    description,
  });
}

/** The job in the path. A malformed id answers 404. */
export function ApiJobParam(): MethodDecorator {
  const schema = { type: 'string', format: 'uuid', examples: [EXAMPLE_VALUES.jobId] };
  return ApiParam({ name: 'job_id', schema, description: 'The job.' });
}

export function ApiListJobs(): MethodDecorator {
  return applyDecorators(
    ApiRoute({
      id: 'listJobs',
      summary: 'List your jobs, newest first',
      description: `Returns one page. Send \`next_before\` unchanged as \`before\` of the next page, with the same filters: no job is skipped or repeated, even if jobs are created meanwhile. Unknown parameters are rejected.`,
    }),
    ApiQuery({ name: 'limit', required: false, schema: LIMIT_SCHEMA, description: 'Jobs per page.' }),
    ApiQuery({
      name: 'before',
      required: false,
      schema: BEFORE_SCHEMA,
      description: 'Only jobs created before this time (ISO 8601; UTC without an offset).',
    }),
    ApiQuery({
      name: 'status',
      required: false,
      schema: { type: 'string', enum: [...JOB_STATUSES] },
      description: 'Only jobs with this status. A job whose status changes between two pages may be missed.',
    }),
    ApiMetadataQuery(
      'Only jobs that have all of these entries: one `metadata.KEY=value` per entry. Generated clients write `metadata[KEY]=value`, which means the same.',
    ),
    ApiQuery({
      name: 'fields',
      required: false,
      // Not an array: generated clients would repeat the parameter.
      schema: { type: 'string', examples: ['status,metadata'] },
      description: `Additional row fields, comma-separated: ${EXTRA_JOB_FIELD_NAMES.map((name) => `\`${name}\``).join(', ')}.`,
    }),
    ApiOkResponse({ type: JobListResponse, description: 'One page of jobs.', example: LIST_EXAMPLE }),
    ApiErrorCodes('invalid_parameter'),
  );
}

export function ApiGetJob(): MethodDecorator {
  return applyDecorators(
    ApiRoute({
      id: 'getJob',
      summary: 'Retrieve one job',
      description: 'Returns a newly signed URL of its transcript.',
    }),
    ApiJobParam(),
    ApiOkResponse({ type: JobResponse, description: 'The job.' }),
    ApiErrorCodes('job_not_found'),
  );
}

export function ApiCancelJob(): MethodDecorator {
  return applyDecorators(
    ApiRoute({
      id: 'cancelJob',
      summary: 'Cancel a job',
      description: `Ends a job while any of its audio is unprocessed: it becomes \`failed\` at stage \`cancelled\`. Processed audio is charged, the rest is not. When all audio has been processed, nothing changes. Only a recording that is transcribed in one piece can be cancelled until its transcript is stored, and then costs nothing.`,
    }),
    ApiJobActionStatusResponse(
      'cancelled',
      '`cancelled` the first time, or the status of the job when there is nothing to cancel.',
    ),
    ApiErrorCodes('job_not_found', 'validation_failed'),
  );
}

export function ApiDeleteJob(): MethodDecorator {
  return applyDecorators(
    ApiRoute({
      id: 'deleteJob',
      summary: 'Delete a job',
      description: `Deletes audio, transcript, vocabulary, metadata and events at once; entries of the ledger stay, but usage no longer counts the job. A job that runs is cancelled, and its processed audio is charged. Webhooks that have not been delivered are dropped.`,
    }),
    ApiJobParam(),
    ApiNoContentResponse({ description: 'The job is deleted.' }),
    ApiErrorCodes('job_not_found'),
  );
}

export function ApiCheckFailedJobs(): MethodDecorator {
  return applyDecorators(
    ApiRoute({ id: 'checkFailed', summary: 'Check which of many jobs have failed' }),
    ApiOkResponse({ type: JobFailedFlagsResponse, description: 'One boolean per id, in the same order.' }),
    ApiErrorCodes('validation_failed'),
  );
}
