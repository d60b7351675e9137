import { OUTPUT_TYPES } from '@app/jobs';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EXAMPLE } from '../openapi/examples.js';

const STEP = {
  type: String,
  description: '`preprocess`, `chunk:N` (N from 0) or `aggregation`.',
  examples: ['chunk:0'],
} as const;

const JOB_ID = { type: String, format: 'uuid', examples: [EXAMPLE.jobId] } as const;

@ApiSchema({ description: 'The job exists and is queued.' })
export class AcceptedEvent {
  @ApiProperty(JOB_ID)
  job_id: string;

  @ApiProperty({
    type: String,
    format: 'uri',
    description: 'Where the transcript will be.',
    examples: [EXAMPLE.downloadUrl],
  })
  download_url: string;
}

@ApiSchema({ description: 'A step is done. Advisory: counts, not a percentage, and chunks in any order.' })
export class ProgressEvent {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Steps that are done.', examples: [2] })
  completed: number;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'All steps of this file.', examples: [5] })
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
    description: 'Where the transcript is, signed afresh.',
    examples: [EXAMPLE.downloadUrl],
  })
  download_url: string;

  @ApiProperty({ enum: OUTPUT_TYPES, description: 'Format of the transcript.', examples: ['json'] })
  output_type: string;
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

@ApiSchema({ description: 'Too many streams are open. This one begins when it is its turn.' })
export class WaitingEvent {
  @ApiProperty({ type: 'integer', minimum: 1, description: 'Place in the line.', examples: [3] })
  position: number;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Seconds, estimated.', examples: [12] })
  eta_seconds: number;
}
