import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray } from 'class-validator';
import { EXAMPLE_VALUES } from '../openapi/example-values.js';

const MAX_CHECKED_JOBS = 1_000;

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
