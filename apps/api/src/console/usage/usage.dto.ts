import { ApiProperty } from '@nestjs/swagger';
import { NumberField, TextField, TimeField } from '../console.openapi.js';

export class UsedKey {
  @TextField()
  id: string;

  @TextField()
  name: string;
}

export class UsageRow {
  @TextField({ format: 'date' })
  day: string;

  @ApiProperty({
    type: UsedKey,
    nullable: true,
    description: 'Null for jobs that were created without a key.',
  })
  key: UsedKey | null;

  @TextField({ enum: ['upload', 'multipart', 'url', 'stream'] })
  kind: string;

  @NumberField()
  created: number;

  @NumberField()
  completed: number;

  @NumberField()
  failed: number;

  @NumberField({ description: 'Of the completed jobs.' })
  audio_seconds: number;

  @NumberField({ description: 'Charged so far.' })
  credits: number;
}

export class UsageResponse {
  @TextField({ format: 'date', description: 'UTC.' })
  from: string;

  @NumberField()
  days: number;

  @ApiProperty({
    type: [UsageRow],
    description: 'By day of creation, oldest first; days without jobs are absent.',
  })
  rows: UsageRow[];
}

export class LedgerEntry {
  @NumberField()
  id: number;

  @TextField()
  kind: string;

  @NumberField()
  amount: number;

  @TextField({ nullable: true, format: 'uuid' })
  job_id: string | null;

  @TextField({ nullable: true })
  note: string | null;

  @TimeField()
  created_at: Date;
}

export class LedgerResponse {
  @ApiProperty({ type: [LedgerEntry], description: 'Newest first.' })
  entries: LedgerEntry[];

  @NumberField({ nullable: true })
  next_before: number | null;
}
