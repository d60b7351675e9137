import { OUTPUT_TYPES } from '@app/jobs';
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { METADATA_SCHEMA } from '../jobs/job-metadata.js';
import { EXAMPLE_VALUES } from '../openapi/example-values.js';

const STEP = {
  type: String,
  description: '`preprocess`, `chunk:N` (N from 0) or `aggregation`.',
  examples: ['chunk:0'],
} as const;

const JOB_ID = { type: String, format: 'uuid', examples: [EXAMPLE_VALUES.jobId] } as const;

@ApiSchema({ description: 'The job exists and is queued.' })
export class AcceptedEvent {
  @ApiProperty(JOB_ID)
  job_id: string;

  @ApiProperty({
    type: String,
    format: 'uri',
    description: 'Signed URL of the transcript; 404 until the job has completed.',
    examples: [EXAMPLE_VALUES.downloadUrl],
  })
  download_url: string;
}

@ApiSchema({ description: 'A step is done. Advisory: counts, not a percentage, and chunks in any order.' })
export class ProgressEvent {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Number of steps that are done.', examples: [2] })
  completed: number;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Number of steps of this file.', examples: [5] })
  total: number;

  @ApiProperty(STEP)
  step: string;
}

@ApiSchema({ description: 'The transcript is ready. The last event of the job.' })
export class CompletedEvent {
  @ApiProperty(JOB_ID)
  job_id: string;

  @ApiProperty({
    type: String,
    format: 'uri',
    nullable: true,
    description: 'Signed URL of the transcript. `null` only if it has been deleted.',
    examples: [EXAMPLE_VALUES.downloadUrl],
  })
  download_url: string | null;

  @ApiProperty({ enum: OUTPUT_TYPES, description: 'Format of the transcript.', examples: ['json'] })
  output_type: string;

  @ApiPropertyOptional({
    ...METADATA_SCHEMA,
    description: 'As given at creation; absent without any.',
  })
  metadata?: Record<string, string>;
}

@ApiSchema({ description: 'There will be no transcript. The last event of the job.' })
export class FailedEvent {
  @ApiProperty({ type: String, description: 'Where it failed.', examples: ['preprocess'] })
  step: string;

  @ApiProperty({
    type: String,
    description: 'Why, in words for people.',
    examples: ['The file holds no audio that can be decoded.'],
  })
  reason: string;
}

@ApiSchema({ description: 'Too many streams are open. This one starts when a slot is free.' })
export class WaitingEvent {
  @ApiProperty({ type: 'integer', minimum: 1, description: 'Position in the queue.', examples: [3] })
  position: number;

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    description: 'Estimated seconds until the stream starts.',
    examples: [12],
  })
  eta_seconds: number;
}
