import { type ApiKeyWithCreatorAndOpenJobCount, MAX_API_KEY_NAME_LENGTH } from '@app/auth';
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsOptional, IsString, Length } from 'class-validator';
import { IsPrintableText } from '../../validation/is-printable-text.js';
import {
  ApiNumberProperty,
  ApiRecordProperty,
  ApiTextProperty,
  ApiTimeProperty,
} from '../console.openapi.js';

@ApiSchema({ name: 'CreateKey' })
export class CreateApiKeyDto {
  @ApiProperty({ type: String, minLength: 1, maxLength: MAX_API_KEY_NAME_LENGTH })
  @IsPrintableText({ message: 'must have no control characters' })
  @Length(1, MAX_API_KEY_NAME_LENGTH, { message: `must have 1 to ${MAX_API_KEY_NAME_LENGTH} characters` })
  @IsString({ message: 'must be text' })
  name: string;

  @ApiPropertyOptional({ type: String, format: 'date-time', nullable: true, description: 'Without: no end.' })
  @IsOptional()
  @IsString({ message: 'must be an ISO 8601 time' })
  expires_at?: string | null;
}

export class UserReference {
  @ApiTextProperty({ format: 'uuid' })
  id: string;

  @ApiTextProperty({ description: '`Former member` for who is no member of the account any more.' })
  name: string;

  @ApiTextProperty({ description: 'Empty for a former member.' })
  email: string;
}

export class ApiKeyResponse {
  @ApiTextProperty({ description: 'Part of the text of the key: `zk_<id>_…`.' })
  id: string;

  @ApiTextProperty()
  name: string;

  @ApiProperty({ type: UserReference, nullable: true, description: 'Null for a key that an operator made.' })
  created_by: UserReference | null;

  @ApiTimeProperty()
  created_at: Date;

  @ApiTimeProperty({ nullable: true, description: 'To the minute.' })
  last_used_at: Date | null;

  @ApiTimeProperty({ nullable: true })
  expires_at: Date | null;

  @ApiTimeProperty({ nullable: true })
  revoked_at: Date | null;

  @ApiRecordProperty(
    { type: 'integer' },
    { description: 'Requests per minute that differ from the defaults.' },
  )
  limits: Record<string, number>;

  @ApiNumberProperty({ type: 'integer', description: 'Jobs in process that it created.' })
  open_jobs: number;
}

export class ApiKeyListResponse {
  @ApiProperty({ type: [ApiKeyResponse], description: 'Newest first, with revoked ones.' })
  keys: ApiKeyResponse[];

  @ApiRecordProperty({ type: 'integer' }, { description: 'Default requests per minute.' })
  default_limits: Record<string, number>;
}

export class CreatedApiKeyResponse {
  @ApiTextProperty()
  id: string;

  @ApiTextProperty({ description: 'The text of the key. It is shown once.' })
  api_key: string;
}

export function toApiKeyResponse(key: ApiKeyWithCreatorAndOpenJobCount): ApiKeyResponse {
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
