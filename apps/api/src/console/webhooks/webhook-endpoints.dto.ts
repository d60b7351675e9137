import { JOB_END_EVENTS, type JobEndEventType } from '@app/database';
import type { WebhookEndpointView } from '@app/webhooks';
import { ApiProperty, ApiSchema, PartialType } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsString,
  MaxLength,
  MinLength,
} from 'class-validator';
import { IsPrintableText } from '../../validation/is-printable-text.js';
import { ApiTextProperty, ApiTimeProperty } from '../console.openapi.js';
import { UserReference } from '../keys/keys.dto.js';
import { MASKED_URL_DESCRIPTION } from './deliveries.dto.js';
import { maskUrlSecrets } from './mask-url-secrets.js';

const MAX_URL_LENGTH = 2_048;
const MAX_DESCRIPTION_LENGTH = 200;

@ApiSchema({ name: 'WebhookEndpointSettings' })
export class SaveWebhookEndpointDto {
  @ApiProperty({ type: String, format: 'uri', minLength: 1, maxLength: MAX_URL_LENGTH })
  @IsPrintableText({ message: 'must have no control characters' })
  @MaxLength(MAX_URL_LENGTH, { message: `must have at most ${MAX_URL_LENGTH} characters` })
  @MinLength(1, { message: 'must be an http or https URL' })
  @IsString({ message: 'must be text' })
  url: string;

  @ApiProperty({ type: String, maxLength: MAX_DESCRIPTION_LENGTH })
  @IsPrintableText({ message: 'must have no control characters' })
  @MaxLength(MAX_DESCRIPTION_LENGTH, { message: `must have at most ${MAX_DESCRIPTION_LENGTH} characters` })
  @IsString({ message: 'must be text' })
  description: string;

  @ApiProperty({ type: [String], enum: JOB_END_EVENTS, minItems: 1, uniqueItems: true })
  @IsIn(JOB_END_EVENTS, { each: true, message: `must be of ${JOB_END_EVENTS.join(' and ')}` })
  @ArrayUnique({ message: 'must name each event once' })
  @ArrayNotEmpty({ message: 'must name an event' })
  @ArrayMaxSize(JOB_END_EVENTS.length, { message: `must name at most ${JOB_END_EVENTS.length} events` })
  @IsArray({ message: 'must be a list of events' })
  events: JobEndEventType[];

  @ApiProperty({ type: Boolean })
  @IsBoolean({ message: 'must be true or false' })
  enabled: boolean;
}

/** Fields that are left out keep their values; null is rejected. */
@ApiSchema({ name: 'WebhookEndpointChanges' })
export class ChangeWebhookEndpointDto extends PartialType(SaveWebhookEndpointDto, {
  skipNullProperties: false,
}) {}

export class WebhookEndpointResponse {
  @ApiTextProperty({ format: 'uuid' })
  id: string;

  @ApiTextProperty({ description: MASKED_URL_DESCRIPTION })
  url: string;

  @ApiTextProperty()
  description: string;

  @ApiProperty({ type: [String], enum: JOB_END_EVENTS })
  events: string[];

  @ApiProperty({ type: Boolean, description: 'A disabled endpoint gets test events only.' })
  enabled: boolean;

  @ApiProperty({
    type: UserReference,
    nullable: true,
    description: 'Null for an endpoint that an operator made.',
  })
  created_by: UserReference | null;

  @ApiTimeProperty()
  created_at: Date;
}

export class WebhookEndpointListResponse {
  @ApiProperty({ type: [WebhookEndpointResponse], description: 'Oldest first.' })
  endpoints: WebhookEndpointResponse[];

  @ApiTimeProperty({
    nullable: true,
    description: 'Until then, webhooks are also signed with the previous secret; null without one.',
  })
  previous_secret_until: Date | null;
}

@ApiSchema({ name: 'NewWebhookEndpointResponse' })
export class CreatedWebhookEndpointIdResponse {
  @ApiTextProperty({ format: 'uuid' })
  id: string;
}

export class TestEventDeliveryResponse {
  @ApiTextProperty({ format: 'uuid' })
  delivery_id: string;
}

/** @param isManager whether the role has `webhooks.write` */
export function toWebhookEndpointResponse(
  { url: fullUrl, ...endpoint }: WebhookEndpointView,
  isManager: boolean,
): WebhookEndpointResponse {
  const { id, description, events, enabled, createdBy, createdAt } = endpoint;
  const url = isManager ? fullUrl : maskUrlSecrets(fullUrl);
  return { id, url, description, events, enabled, created_by: createdBy, created_at: createdAt };
}
