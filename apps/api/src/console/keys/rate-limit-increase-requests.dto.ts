import {
  type RateLimitIncreaseRequestWithRequester,
  MAX_RATE_LIMIT_OVERRIDE_PER_MINUTE,
  API_LIMITS_PER_MINUTE,
  type ApiRateLimitName,
} from '@app/auth';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsIn, IsInt, IsString, Length, Max, Min } from 'class-validator';
import { IsPrintableText } from '../../validation/is-printable-text.js';
import { ApiNumberProperty, ApiTextProperty, ApiTimeProperty } from '../console.openapi.js';
import { UserReference } from './keys.dto.js';

const LIMIT_NAMES = Object.keys(API_LIMITS_PER_MINUTE);
const MAX_REASON_LENGTH = 1_000;

@ApiSchema({ name: 'RequestLimit' })
export class RequestRateLimitIncreaseDto {
  @ApiProperty({ type: String })
  @IsPrintableText({ message: 'must be the id of a key' })
  @IsString({ message: 'must be the id of a key' })
  key_id: string;

  @ApiProperty({ type: String, enum: LIMIT_NAMES })
  @IsIn(LIMIT_NAMES)
  limit: ApiRateLimitName;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_RATE_LIMIT_OVERRIDE_PER_MINUTE })
  @Max(MAX_RATE_LIMIT_OVERRIDE_PER_MINUTE)
  @Min(1)
  @IsInt({ message: 'must be a whole number' })
  requests_per_minute: number;

  @ApiProperty({ type: String, minLength: 1, maxLength: MAX_REASON_LENGTH })
  @IsPrintableText({ message: 'must have no control characters' })
  @Length(1, MAX_REASON_LENGTH, { message: `must have 1 to ${MAX_REASON_LENGTH} characters` })
  @IsString({ message: 'must be text' })
  reason: string;
}

export class RateLimitIncreaseRequestResponse {
  @ApiTextProperty({ format: 'uuid' })
  id: string;

  @ApiTextProperty()
  key_id: string;

  @ApiTextProperty({ enum: LIMIT_NAMES })
  limit: string;

  @ApiNumberProperty({ description: 'As granted, once it is granted.' })
  requests_per_minute: number;

  @ApiTextProperty()
  reason: string;

  @ApiTextProperty({ enum: ['pending', 'granted', 'declined'] })
  state: string;

  @ApiTextProperty({ nullable: true, description: 'Of the operator.' })
  answer: string | null;

  @ApiProperty({ type: UserReference, nullable: true })
  requested_by: UserReference | null;

  @ApiTimeProperty()
  created_at: Date;

  @ApiTimeProperty({ nullable: true })
  decided_at: Date | null;
}

export class RateLimitIncreaseRequestListResponse {
  @ApiProperty({ type: [RateLimitIncreaseRequestResponse], description: 'Newest first.' })
  requests: RateLimitIncreaseRequestResponse[];
}

export class NewRateLimitIncreaseRequestResponse {
  @ApiTextProperty({ format: 'uuid' })
  id: string;
}

export function toRateLimitIncreaseRequestResponse(
  request: RateLimitIncreaseRequestWithRequester,
): RateLimitIncreaseRequestResponse {
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
