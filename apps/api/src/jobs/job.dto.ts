import { ApiProperty } from '@nestjs/swagger';
import type { JobView } from '@app/jobs';
import { EXAMPLE } from '../openapi/examples.js';

const STATUSES = ['processing', 'completed', 'failed'] as const;

export class JobResponse {
  @ApiProperty({ type: String, format: 'uuid', examples: [EXAMPLE.jobId] })
  job_id: string;

  @ApiProperty({
    enum: STATUSES,
    description: '`processing` until the job has ended; the other two never change.',
    examples: ['completed'],
  })
  status: string;

  @ApiProperty({
    type: String,
    format: 'uri',
    nullable: true,
    description: 'Of the transcript, once `completed`; signed afresh at every retrieval.',
    examples: [EXAMPLE.downloadUrl],
  })
  download_url: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Where it failed, once `failed`: `upload`, `preprocess`, `chunk:N`, `aggregation`, `billing`, `cancelled`.',
    examples: [null],
  })
  failed_stage: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why, once `failed`, in words for people.',
    examples: [null],
  })
  reason: string | null;
}

export function jobResponse(job: JobView, downloadUrl: string | null): JobResponse {
  return {
    job_id: job.id,
    status: job.status,
    download_url: downloadUrl,
    failed_stage: job.failedStage,
    reason: job.reason,
  };
}
