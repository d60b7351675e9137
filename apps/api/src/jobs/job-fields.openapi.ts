import { OUTPUT_TYPES } from '@app/jobs';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import { EXAMPLE_VALUES } from '../openapi/example-values.js';
import { METADATA_SCHEMA } from './job-metadata.js';

export const JOB_STATUSES = ['processing', 'completed', 'failed'] as const;

/** The schemas of the job fields, for retrievals and list rows. */
export const JOB_FIELD_SCHEMAS = {
  created_at: {
    type: String,
    format: 'date-time',
    description: 'UTC, with microseconds; unique within an account.',
    examples: [EXAMPLE_VALUES.createdAt],
  },
  completed_at: {
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When it was `completed`; `null` in every other state.',
    examples: [EXAMPLE_VALUES.completedAt],
  },
  status: {
    enum: JOB_STATUSES,
    description: '`processing` until the job has ended; the other two never change.',
    examples: ['completed'],
  },
  output_type: { enum: OUTPUT_TYPES, description: 'Format of the stored transcript.', examples: ['json'] },
  duration_seconds: {
    type: Number,
    nullable: true,
    description: 'Seconds of audio; `null` until it has been decoded.',
    examples: [61.44],
  },
  metadata: { ...METADATA_SCHEMA, description: 'As given at creation; empty without any.' },
  failed_stage: {
    type: String,
    nullable: true,
    description:
      'Where it failed, once `failed`: `upload`, `preprocess`, `chunk:N`, `aggregation`, `billing`, `cancelled`.',
    examples: [null],
  },
  reason: {
    type: String,
    nullable: true,
    description: 'Why it failed, once `failed`, in words for people.',
    examples: [null],
  },
} satisfies Record<string, ApiPropertyOptions>;
