import type { ListedKey } from '@app/auth';
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsOptional, IsString, Length } from 'class-validator';
import { IsPlainText } from '../../validation/is-plain-text.js';
import { NumberField, RecordField, TextField, TimeField } from '../console.openapi.js';

const MAX_NAME_LENGTH = 80;

@ApiSchema({ name: 'CreateKey' })
export class CreateKeyDto {
  @ApiProperty({ type: String, minLength: 1, maxLength: MAX_NAME_LENGTH })
  @IsPlainText({ message: 'must have no control characters' })
  @Length(1, MAX_NAME_LENGTH, { message: `must have 1 to ${MAX_NAME_LENGTH} characters` })
  @IsString({ message: 'must be text' })
  name: string;

  @ApiPropertyOptional({ type: String, format: 'date-time', nullable: true, description: 'Without: no end.' })
  @IsOptional()
  @IsString({ message: 'must be an ISO 8601 time' })
  expires_at?: string | null;
}

export class UserReference {
  @TextField({ format: 'uuid' })
  id: string;

  @TextField({ description: '`Former member` for who is no member of the account any more.' })
  name: string;

  @TextField({ description: 'Empty for a former member.' })
  email: string;
}

export class KeyResponse {
  @TextField({ description: 'Part of the text of the key: `zk_<id>_…`.' })
  id: string;

  @TextField()
  name: string;

  @ApiProperty({ type: UserReference, nullable: true, description: 'Null for a key that an operator made.' })
  created_by: UserReference | null;

  @TimeField()
  created_at: Date;

  @TimeField({ nullable: true, description: 'To the minute.' })
  last_used_at: Date | null;

  @TimeField({ nullable: true })
  expires_at: Date | null;

  @TimeField({ nullable: true })
  revoked_at: Date | null;

  @RecordField({ type: 'integer' }, { description: 'Requests per minute that differ from the defaults.' })
  limits: Record<string, number>;

  @NumberField({ type: 'integer', description: 'Jobs in process that it created.' })
  open_jobs: number;
}

export class KeyListResponse {
  @ApiProperty({ type: [KeyResponse], description: 'Newest first, with revoked ones.' })
  keys: KeyResponse[];

  @RecordField({ type: 'integer' }, { description: 'Default requests per minute.' })
  default_limits: Record<string, number>;
}

export class NewKeyResponse {
  @TextField()
  id: string;

  @TextField({ description: 'The text of the key. It is shown once.' })
  api_key: string;
}

export function toKeyResponse(key: ListedKey): KeyResponse {
  return {
    id: key.id,
    name: key.name,
    created_by: key.createdBy,
    created_at: key.createdAt,
    last_used_at: key.lastUsedAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    limits: key.limitOverrides,
    open_jobs: key.openJobs,
  };
}
