import type { JobPage } from '@app/jobs';
import { ApiProperty } from '@nestjs/swagger';
import { EXAMPLE } from '../openapi/examples.js';

export class JobListItem {
  @ApiProperty({ type: String, format: 'uuid', examples: [EXAMPLE.jobId] })
  job_id: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'UTC, with microseconds; no two jobs of an account share one.',
    examples: [EXAMPLE.createdAt],
  })
  created_at: string;
}

export class JobListResponse {
  @ApiProperty({ type: [JobListItem], description: 'Newest first.' })
  jobs: JobListItem[];

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: '`before` of the next page; null on the last one.',
    examples: [EXAMPLE.createdAt],
  })
  next_before: string | null;
}

export function jobListResponse({ jobs, nextBefore }: JobPage): JobListResponse {
  return {
    jobs: jobs.map(({ id, createdAt }) => ({ job_id: id, created_at: createdAt })),
    next_before: nextBefore,
  };
}
