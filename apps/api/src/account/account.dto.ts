import { API_LIMITS_PER_MINUTE } from '@app/auth';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Expose } from 'class-transformer';
import { EXAMPLE_VALUES } from '../openapi/example-values.js';

const count = (description: string, example: number) =>
  ({ type: 'integer', minimum: 0, description, examples: [example] }) as const;

export class AccountApiKey {
  @ApiProperty({ type: String, description: 'The public part of the key.', examples: ['k7Qm2vXw9a'] })
  id: string;

  @ApiProperty({ type: String, examples: ['production'] })
  name: string;
}

export class AccountCredits {
  @ApiProperty(count('Credits that can be spent now.', 35_900))
  balance: number;

  @ApiProperty(count('Credits reserved for jobs that have not ended; not part of the balance.', 120))
  held: number;

  @ApiProperty(count('Price per started second of audio; 0 when nothing is charged.', 1))
  per_second: number;
}

@ApiSchema({ name: 'AccountMaxBytes' })
export class UploadSizeLimits {
  @ApiProperty(count('Of a single upload.', 5_368_709_120))
  upload: number;

  @ApiProperty(count('Of an upload in parts.', 10_737_418_240))
  multipart: number;

  @ApiProperty(count('Of `POST /api/v1/transcribe`.', 200_000_000))
  transcribe: number;
}

/** Usage of one API key since midnight. */
@ApiSchema({ name: 'AccountUsage' })
export class ApiKeyUsageToday {
  @Expose()
  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'Midnight in UTC.',
    examples: ['2026-11-20T00:00:00Z'],
  })
  since: string;

  @Expose({ name: 'created' })
  @ApiProperty(count('Jobs that this key created.', 42))
  jobs_created: number;

  @Expose({ name: 'completed' })
  @ApiProperty(count('Jobs of this key that were completed, whenever they were created.', 40))
  jobs_completed: number;

  @Expose({ name: 'failed' })
  @ApiProperty(count('Jobs of this key that failed or were cancelled, whenever they were created.', 1))
  jobs_failed: number;

  @Expose({ name: 'audioSeconds' })
  @ApiProperty({
    type: Number,
    minimum: 0,
    description: 'Seconds of audio of the jobs that were completed.',
    examples: [2_412.5],
  })
  audio_seconds: number;

  @Expose({ name: 'charged' })
  @ApiProperty(count('Credits charged for the jobs that ended.', 2_431))
  credits_charged: number;
}

export class AccountResponse {
  @ApiProperty({ type: String, format: 'uuid', examples: [EXAMPLE_VALUES.accountId] })
  account_id: string;

  @ApiProperty({ type: String, examples: ['Example Media'] })
  name: string;

  @ApiProperty({ type: AccountApiKey, description: 'The key of this request.' })
  api_key: AccountApiKey;

  @ApiProperty({ type: AccountCredits, description: 'Credits of the account.' })
  credits: AccountCredits;

  @ApiProperty({ type: UploadSizeLimits, description: 'Largest files, in bytes.' })
  max_bytes: UploadSizeLimits;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: ['integer', 'null'], minimum: 1 } as object,
    description:
      'Requests per minute of this key by name of the limit; `null` where requests are not limited.',
    examples: [{ ...API_LIMITS_PER_MINUTE }],
  })
  rate_limits: Record<string, number | null>;

  @ApiProperty({
    type: ApiKeyUsageToday,
    description: 'What this key has used today. Deleted jobs are not counted.',
  })
  today: ApiKeyUsageToday;
}
