import { ApiProperty } from '@nestjs/swagger';
import type { JobMetadata, JobForApiRoutes } from '@app/jobs';
import { EXAMPLE_VALUES } from '../openapi/example-values.js';
import { JOB_FIELD_SCHEMAS } from './job-fields.openapi.js';

export class JobResponse {
  @ApiProperty({ type: String, format: 'uuid', examples: [EXAMPLE_VALUES.jobId] })
  job_id: string;

  @ApiProperty(JOB_FIELD_SCHEMAS.status)
  status: string;

  @ApiProperty({
    type: String,
    format: 'uri',
    nullable: true,
    description: 'Signed URL of the transcript, once `completed`; each retrieval signs a new one.',
    examples: [EXAMPLE_VALUES.downloadUrl],
  })
  download_url: string | null;

  @ApiProperty(JOB_FIELD_SCHEMAS.failed_stage)
  failed_stage: string | null;

  @ApiProperty(JOB_FIELD_SCHEMAS.reason)
  reason: string | null;

  @ApiProperty(JOB_FIELD_SCHEMAS.created_at)
  created_at: string;

  @ApiProperty(JOB_FIELD_SCHEMAS.completed_at)
  completed_at: string | null;

  @ApiProperty(JOB_FIELD_SCHEMAS.output_type)
  output_type: string;

  @ApiProperty(JOB_FIELD_SCHEMAS.duration_seconds)
  duration_seconds: number | null;

  @ApiProperty(JOB_FIELD_SCHEMAS.metadata)
  metadata: JobMetadata;
}

export function toJobResponse(job: JobForApiRoutes, downloadUrl: string | null): JobResponse {
  return {
    job_id: job.id,
    status: job.status,
    download_url: downloadUrl,
    failed_stage: job.failedStage,
    reason: job.reason,
    created_at: job.createdAt,
    completed_at: job.completedAt,
    output_type: job.options.output_type,
    duration_seconds: job.duration,
    metadata: job.metadata,
  };
}
