import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsUUID } from 'class-validator';
import { EXAMPLE_VALUES } from '../openapi/example-values.js';

const MAX_CHECKED_JOBS = 1_000;
const ACTION_STATUSES = ['active', 'queued', 'aborted', 'cancelled', 'processing', 'completed', 'failed'];

@ApiSchema({ name: 'JobId' })
export class JobIdDto {
  /** A UUID of any version: an unknown id answers 404, not 422. */
  @ApiProperty({ type: String, format: 'uuid', examples: [EXAMPLE_VALUES.jobId] })
  @IsUUID('loose', { message: 'must be a UUID' })
  job_id: string;
}

@ApiSchema({ name: 'StatusResponse' })
export class JobActionStatusResponse {
  @ApiProperty({
    enum: ACTION_STATUSES,
    description: 'The result of the action, or the status of the job when there was nothing to do.',
  })
  status: string;
}

@ApiSchema({ name: 'CheckFailed' })
export class CheckFailedJobsDto {
  /** The service validates the items and names the invalid ones. */
  @ApiProperty({
    type: 'array',
    items: { type: 'string', format: 'uuid' },
    maxItems: MAX_CHECKED_JOBS,
    examples: [[EXAMPLE_VALUES.jobId, EXAMPLE_VALUES.otherJobId]],
  })
  @ArrayMaxSize(MAX_CHECKED_JOBS, { message: `must hold at most ${MAX_CHECKED_JOBS} ids` })
  @IsArray({ message: 'must be an array of UUIDs' })
  job_ids: unknown[];
}

@ApiSchema({ name: 'CheckFailedResponse' })
export class JobFailedFlagsResponse {
  @ApiProperty({
    type: 'array',
    items: { type: 'boolean' },
    description: 'One per id, in the same order; `false` for an unknown id.',
    examples: [[false, true]],
  })
  failed_jobs: boolean[];
}
