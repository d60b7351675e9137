import { ApiProperty } from '@nestjs/swagger';
import type { JobView } from '@app/jobs';

const STATUSES = ['processing', 'completed', 'failed'] as const;

export class JobResponse {
  @ApiProperty({ type: String, format: 'uuid' })
  job_id: string;

  @ApiProperty({ enum: STATUSES })
  status: string;

  @ApiProperty({ type: String, format: 'uri', nullable: true, description: 'Fresh at every retrieval.' })
  download_url: string | null;

  @ApiProperty({ type: String, nullable: true })
  failed_stage: string | null;

  @ApiProperty({ type: String, nullable: true })
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
