import { type DeliveryState, WEBHOOK_EVENTS } from '@app/database';
import { createInvalidFieldError } from '@app/errors';
import type { DecryptedWebhookAttempt, DeliveryWithLastAttempt } from '@app/webhooks';
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsOptional, isUUID, IsUUID } from 'class-validator';
import {
  ApiNumberProperty,
  ApiRecordProperty,
  ApiTextProperty,
  ApiTimeProperty,
} from '../console.openapi.js';
import { maskUrlSecrets } from './mask-url-secrets.js';

const STATES = ['pending', 'delivered', 'failed', 'cancelled'] as const satisfies readonly DeliveryState[];

/** Describes the URL of a receiver. */
export const MASKED_URL_DESCRIPTION = 'Without the values of its query for roles without `webhooks.write`.';

export class ListedDeliveryResponse {
  @ApiTextProperty({ format: 'uuid', description: 'As in `X-SVC-Delivery`.' })
  id: string;

  @ApiTextProperty({ format: 'uuid', nullable: true, description: 'Null for a test event.' })
  job_id: string | null;

  @ApiTextProperty({ format: 'uuid', nullable: true, description: 'Null for a `callback_url`.' })
  endpoint_id: string | null;

  @ApiTextProperty({ description: MASKED_URL_DESCRIPTION })
  url: string;

  @ApiTextProperty({ enum: [...WEBHOOK_EVENTS] })
  event: string;

  @ApiTextProperty({ enum: STATES, description: '`cancelled`: its endpoint was disabled or deleted.' })
  status: string;

  @ApiProperty({ type: Boolean, description: 'Whether it can be replayed.' })
  replayable: boolean;

  @ApiNumberProperty({ type: 'integer' })
  attempts: number;

  @ApiTimeProperty()
  created_at: Date;

  @ApiTimeProperty({ nullable: true, description: 'Null once it has ended.' })
  next_attempt_at: Date | null;

  @ApiTimeProperty({ nullable: true })
  finished_at: Date | null;

  @ApiNumberProperty({ type: 'integer', nullable: true, description: 'Of the last attempt.' })
  status_code: number | null;

  @ApiTextProperty({ nullable: true, description: 'Why the last attempt got no response.' })
  error: string | null;
}

export class DeliveryListResponse {
  @ApiProperty({ type: [ListedDeliveryResponse], description: 'Newest first.' })
  deliveries: ListedDeliveryResponse[];

  @ApiTextProperty({ nullable: true, description: '`cursor` of the next page; null on the last one.' })
  next_cursor: string | null;
}

export class SentWebhookRequest {
  @ApiRecordProperty({ type: 'string' })
  headers: Record<string, string>;

  @ApiTextProperty({ description: 'As sent.' })
  body: string;
}

export class WebhookAttemptAnswerExcerpt {
  @ApiTextProperty({ description: 'The first 2,048 bytes, as text.' })
  body: string;

  @ApiProperty({ type: Boolean })
  truncated: boolean;
}

export class WebhookAttemptDetails {
  @ApiNumberProperty({ type: 'integer' })
  number: number;

  @ApiTimeProperty({ description: 'When it ended.' })
  at: Date;

  @ApiNumberProperty({ type: 'integer' })
  duration_ms: number;

  @ApiNumberProperty({ type: 'integer', nullable: true })
  status_code: number | null;

  @ApiTextProperty({ nullable: true, description: 'Why there was no response.' })
  error: string | null;

  @ApiProperty({
    type: SentWebhookRequest,
    nullable: true,
    description: 'Null once it has expired, for roles without `webhooks.write`, and if it cannot be read.',
  })
  request: SentWebhookRequest | null;

  @ApiProperty({
    type: Boolean,
    description: 'Whether request and response cannot be decrypted: their key is missing.',
  })
  unreadable: boolean;

  @ApiProperty({ type: WebhookAttemptAnswerExcerpt, nullable: true })
  answer: WebhookAttemptAnswerExcerpt | null;
}

export class WebhookDeliveryDetailResponse extends ListedDeliveryResponse {
  @ApiProperty({ type: [WebhookAttemptDetails], description: 'Newest first, at most 50.' })
  attempt_list: WebhookAttemptDetails[];
}

@ApiSchema({ name: 'ReplayFailedDeliveries' })
export class ReplayFailedDeliveriesDto {
  @ApiPropertyOptional({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'Only those of an endpoint.',
  })
  @IsOptional()
  @IsUUID('loose', { message: 'must be the id of an endpoint' })
  endpoint_id?: string | null;
}

export class ReplayFailedDeliveriesResponse {
  @ApiNumberProperty({ type: 'integer', description: 'At most 1,000, the oldest ones.' })
  replayed: number;

  @ApiProperty({ type: Boolean, description: 'Whether there may be more.' })
  has_more: boolean;
}

/** @param isManager whether the role has `webhooks.write` */
export function toDeliveryResponse(
  delivery: DeliveryWithLastAttempt,
  isManager: boolean,
): ListedDeliveryResponse {
  return {
    id: delivery.id,
    job_id: delivery.jobId,
    endpoint_id: delivery.endpointId,
    url: isManager ? delivery.url : maskUrlSecrets(delivery.url),
    event: delivery.event,
    status: delivery.state,
    replayable: delivery.state !== 'pending' && delivery.isReachable,
    attempts: delivery.attempts,
    created_at: delivery.createdAt,
    next_attempt_at: delivery.nextAttemptAt,
    finished_at: delivery.finishedAt,
    status_code: delivery.lastStatusCode,
    error: delivery.lastError,
  };
}

/** @param isManager whether the role has `webhooks.write` */
export function toDeliveryDetailResponse(
  delivery: DeliveryWithLastAttempt,
  attempts: DecryptedWebhookAttempt[],
  isManager: boolean,
): WebhookDeliveryDetailResponse {
  return Object.assign(toDeliveryResponse(delivery, isManager), {
    attempt_list: attempts.map((attempt) => toAttemptResponse(attempt, isManager)),
  });
}

function toAttemptResponse(
  { exchange, isUnreadable, ...attempt }: DecryptedWebhookAttempt,
  isManager: boolean,
): WebhookAttemptDetails {
  const { number, at, ms, statusCode, error } = attempt;
  const { request = null, answer = null } = (isManager && exchange) || {};
  return {
    ...{ number, at, duration_ms: ms, status_code: statusCode, error },
    unreadable: isManager && isUnreadable,
    request,
    answer: answer && { body: answer.body, truncated: answer.isTruncated },
  };
}

/** @throws ServiceError that names the field */
export function parseDeliveryFilter({
  status,
  endpoint,
  job_id,
}: Partial<Record<'status' | 'endpoint' | 'job_id', string>>) {
  const state = STATES.find((each) => each === status);
  if (status !== undefined && state === undefined)
    throw createInvalidFieldError('status', `must be one of ${STATES.join(', ')}`);
  return {
    ...(state !== undefined && { state }),
    ...(endpoint !== undefined && { endpointId: parseUuidParameter('endpoint', endpoint) }),
    ...(job_id !== undefined && { jobId: parseUuidParameter('job_id', job_id) }),
  };
}

/** @throws ServiceError that names the field */
export function parseUuidParameter(field: string, text: string): string {
  if (!isUUID(text, 'loose')) throw createInvalidFieldError(field, 'must be an id');
  return text;
}
