import {
  type ListedLimitRequest,
  MAX_REQUESTS_PER_MINUTE,
  ROUTE_LIMITS_PER_MINUTE,
  type RateLimitName,
} from '@app/auth';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsIn, IsInt, IsString, Length, Max, Min } from 'class-validator';
import { IsPlainText } from '../../validation/is-plain-text.js';
import { NumberField, TextField, TimeField } from '../console.openapi.js';
import { UserReference } from './keys.dto.js';

const LIMIT_NAMES = Object.keys(ROUTE_LIMITS_PER_MINUTE);
const MAX_REASON_LENGTH = 1_000;

@ApiSchema({ name: 'RequestLimit' })
export class RequestLimitDto {
  @ApiProperty({ type: String })
  @IsPlainText({ message: 'must be the id of a key' })
  @IsString({ message: 'must be the id of a key' })
  key_id: string;

  @ApiProperty({ type: String, enum: LIMIT_NAMES })
  @IsIn(LIMIT_NAMES)
  limit: RateLimitName;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_REQUESTS_PER_MINUTE })
  @Max(MAX_REQUESTS_PER_MINUTE)
  @Min(1)
  @IsInt({ message: 'must be a whole number' })
  requests_per_minute: number;

  @ApiProperty({ type: String, minLength: 1, maxLength: MAX_REASON_LENGTH })
  @IsPlainText({ message: 'must have no control characters' })
  @Length(1, MAX_REASON_LENGTH, { message: `must have 1 to ${MAX_REASON_LENGTH} characters` })
  @IsString({ message: 'must be text' })
  reason: string;
}

export class LimitRequestResponse {
  @TextField({ format: 'uuid' })
  id: string;

  @TextField()
  key_id: string;

  @TextField({ enum: LIMIT_NAMES })
  limit: string;

  @NumberField({ description: 'As granted, once it is granted.' })
  requests_per_minute: number;

  @TextField()
  reason: string;

  @TextField({ enum: ['pending', 'granted', 'declined'] })
  state: string;

  @TextField({ nullable: true, description: 'Of the operator.' })
  answer: string | null;

  @ApiProperty({ type: UserReference, nullable: true })
  requested_by: UserReference | null;

  @TimeField()
  created_at: Date;

  @TimeField({ nullable: true })
  decided_at: Date | null;
}

export class LimitRequestListResponse {
  @ApiProperty({ type: [LimitRequestResponse], description: 'Newest first.' })
  requests: LimitRequestResponse[];
}

export class NewLimitRequestResponse {
  @TextField({ format: 'uuid' })
  id: string;
}

export function toLimitRequestResponse(request: ListedLimitRequest): LimitRequestResponse {
  return {
    id: request.id,
    key_id: request.keyId,
    limit: request.limitName,
    requests_per_minute: request.requestsPerMinute,
    reason: request.reason,
    state: request.state,
    answer: request.answer,
    requested_by: request.requestedBy,
    created_at: request.createdAt,
    decided_at: request.decidedAt,
  };
}
