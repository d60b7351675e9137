import { ApiProperty } from '@nestjs/swagger';
import { ApiNumberProperty, ApiTextProperty, ApiTimeProperty } from '../console.openapi.js';

export class UsageApiKeyReference {
  @ApiTextProperty()
  id: string;

  @ApiTextProperty()
  name: string;
}

export class UsageRow {
  @ApiTextProperty({ format: 'date' })
  day: string;

  @ApiProperty({
    type: UsageApiKeyReference,
    nullable: true,
    description: 'Null for jobs that were created without a key.',
  })
  key: UsageApiKeyReference | null;

  @ApiTextProperty({ enum: ['upload', 'multipart', 'url', 'stream'] })
  kind: string;

  @ApiNumberProperty()
  created: number;

  @ApiNumberProperty()
  completed: number;

  @ApiNumberProperty()
  failed: number;

  @ApiNumberProperty({ description: 'Of the completed jobs.' })
  audio_seconds: number;

  @ApiNumberProperty({ description: 'Charged so far.' })
  credits: number;
}

export class UsageResponse {
  @ApiTextProperty({ format: 'date', description: 'UTC.' })
  from: string;

  @ApiNumberProperty()
  days: number;

  @ApiProperty({
    type: [UsageRow],
    description: 'By day of creation, oldest first; days without jobs are absent.',
  })
  rows: UsageRow[];
}

export class LedgerEntry {
  @ApiNumberProperty()
  id: number;

  @ApiTextProperty()
  kind: string;

  @ApiNumberProperty()
  amount: number;

  @ApiTextProperty({ nullable: true, format: 'uuid' })
  job_id: string | null;

  @ApiTextProperty({ nullable: true })
  note: string | null;

  @ApiTimeProperty()
  created_at: Date;
}

export class LedgerResponse {
  @ApiProperty({ type: [LedgerEntry], description: 'Newest first.' })
  entries: LedgerEntry[];

  @ApiNumberProperty({ nullable: true })
  next_before: number | null;
}
