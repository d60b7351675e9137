import type { JobMetadata, JobPage, JobIdAndCreationTime, JobListItemWithDetails } from '@app/jobs';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { EXAMPLE_VALUES } from '../openapi/example-values.js';
import { JOB_FIELD_SCHEMAS } from './job-fields.openapi.js';

export class JobListItem {
  @ApiProperty({ type: String, format: 'uuid', examples: [EXAMPLE_VALUES.jobId] })
  job_id: string;

  @ApiProperty(JOB_FIELD_SCHEMAS.created_at)
  created_at: string;

  @ApiPropertyOptional(JOB_FIELD_SCHEMAS.status)
  status?: string;

  @ApiPropertyOptional(JOB_FIELD_SCHEMAS.output_type)
  output_type?: string;

  @ApiPropertyOptional(JOB_FIELD_SCHEMAS.metadata)
  metadata?: JobMetadata;

  @ApiPropertyOptional(JOB_FIELD_SCHEMAS.duration_seconds)
  duration_seconds?: number | null;

  @ApiPropertyOptional(JOB_FIELD_SCHEMAS.completed_at)
  completed_at?: string | null;

  @ApiPropertyOptional(JOB_FIELD_SCHEMAS.failed_stage)
  failed_stage?: string | null;

  @ApiPropertyOptional(JOB_FIELD_SCHEMAS.reason)
  reason?: string | null;
}

export class JobListResponse {
  @ApiProperty({ type: [JobListItem], description: 'Newest first.' })
  jobs: JobListItem[];

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: '`before` of the next page; null on the last one.',
    examples: [EXAMPLE_VALUES.createdAt],
  })
  next_before: string | null;
}

/** The row fields that the parameter `fields` adds. */
const EXTRA_FIELD_GETTERS = {
  status: ({ status }) => status,
  output_type: ({ outputType }) => outputType,
  metadata: ({ metadata }) => metadata,
  duration_seconds: ({ duration }) => duration,
  completed_at: ({ completedAt }) => completedAt,
  failed_stage: ({ failedStage }) => failedStage,
  reason: ({ reason }) => reason,
} satisfies { [Name in keyof JobListItem]?: (job: JobListItemWithDetails) => JobListItem[Name] };

export type ExtraJobField = keyof typeof EXTRA_FIELD_GETTERS;
export const EXTRA_JOB_FIELD_NAMES = Object.keys(EXTRA_FIELD_GETTERS) as ExtraJobField[];

export function toJobListResponse({ jobs, nextBefore }: JobPage): JobListResponse {
  return { jobs: jobs.map(toJobListItem), next_before: nextBefore };
}

export function toDetailedJobListResponse(
  { jobs, nextBefore }: JobPage<JobListItemWithDetails>,
  fields: readonly ExtraJobField[],
): JobListResponse {
  const rows = jobs.map((job) =>
    Object.assign(
      toJobListItem(job),
      Object.fromEntries(fields.map((field) => [field, EXTRA_FIELD_GETTERS[field](job)])),
    ),
  );
  return { jobs: rows, next_before: nextBefore };
}

function toJobListItem({ id, createdAt }: JobIdAndCreationTime): JobListItem {
  return { job_id: id, created_at: createdAt };
}
