import {
  computeEffectiveRetentionDays,
  type ConsoleJobWithDetailsAndEvents,
  type JobMetadata,
  type JobOptions,
  type ConsoleJobSummary,
} from '@app/jobs';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { JOB_FIELD_SCHEMAS } from '../../jobs/job-fields.openapi.js';
import { toPublicEventData } from '../../streaming/sse-messages.js';
import {
  ApiNumberProperty,
  ApiRecordProperty,
  ApiTextProperty,
  ApiTimeProperty,
} from '../console.openapi.js';
import { UserReference } from '../keys/keys.dto.js';
import { MASKED_URL_DESCRIPTION } from '../webhooks/deliveries.dto.js';
import { maskUrlSecrets } from '../webhooks/mask-url-secrets.js';
import { getFailedJobAdvice } from './failed-job-advice.js';

const JOB_SOURCES = ['upload', 'multipart', 'url', 'stream'];
/** The console names the file in this entry of the metadata. */
export const FILE_NAME_JOB_METADATA_KEY = 'file_name';
const DAY_MS = 86_400_000;

export class ApiKeyReference {
  @ApiTextProperty()
  id: string;

  @ApiTextProperty()
  name: string;
}

export class ConsoleJob {
  @ApiTextProperty({ format: 'uuid' })
  job_id: string;

  @ApiProperty(JOB_FIELD_SCHEMAS.status)
  status: string;

  @ApiTextProperty({ nullable: true, description: 'The entry `file_name` of the metadata.' })
  file_name: string | null;

  @ApiTextProperty({ enum: JOB_SOURCES })
  source: string;

  @ApiProperty(JOB_FIELD_SCHEMAS.created_at)
  created_at: string;

  @ApiProperty(JOB_FIELD_SCHEMAS.completed_at)
  completed_at: string | null;

  @ApiProperty(JOB_FIELD_SCHEMAS.duration_seconds)
  duration_seconds: number | null;

  @ApiProperty(JOB_FIELD_SCHEMAS.output_type)
  output_type: string;

  @ApiProperty({ type: ApiKeyReference, nullable: true, description: 'Null for a job without a key.' })
  key: ApiKeyReference | null;

  @ApiProperty({ type: UserReference, nullable: true, description: 'Null for a job with a key.' })
  created_by: UserReference | null;

  @ApiProperty(JOB_FIELD_SCHEMAS.failed_stage)
  failed_stage: string | null;

  @ApiProperty(JOB_FIELD_SCHEMAS.reason)
  reason: string | null;

  @ApiNumberProperty()
  steps_done: number;

  @ApiNumberProperty({ nullable: true, description: 'Null until the recording is split.' })
  steps_total: number | null;

  @ApiProperty({ type: Boolean })
  transcript_available: boolean;
}

export class ConsoleJobListResponse {
  @ApiProperty({ type: [ConsoleJob], description: 'Newest first.' })
  jobs: ConsoleJob[];

  @ApiTextProperty({ nullable: true, description: '`cursor` of the next page; null on the last one.' })
  next_cursor: string | null;
}

export class ConsoleJobEventData {
  @ApiPropertyOptional({ type: String })
  step?: string;

  @ApiPropertyOptional({ type: 'integer', description: 'Steps that are done.' })
  completed?: number;

  @ApiPropertyOptional({ type: 'integer', description: 'Steps of the job.' })
  total?: number;

  @ApiPropertyOptional({ type: String, description: 'Of a failure.' })
  reason?: string;
}

export class ConsoleJobEvent {
  @ApiNumberProperty()
  seq: number;

  @ApiTextProperty({ enum: ['progress', 'completed', 'failed'] })
  event: string;

  @ApiTimeProperty()
  at: string;

  @ApiProperty({ type: ConsoleJobEventData, description: 'As in the event stream.' })
  data: ConsoleJobEventData;
}

export class ConsoleJobDetails extends ConsoleJob {
  @ApiRecordProperty({}, { description: 'With the defaults.' })
  options: JobOptions;

  @ApiProperty(JOB_FIELD_SCHEMAS.metadata)
  metadata: JobMetadata;

  @ApiTextProperty({ nullable: true, description: 'Of the request that created the job.' })
  request_id: string | null;

  @ApiTimeProperty({ nullable: true, description: 'When its audio was complete.' })
  queued_at: Date | null;

  @ApiTimeProperty({ nullable: true, description: 'When it completed or failed.' })
  finished_at: Date | null;

  @ApiTimeProperty({ nullable: true })
  audio_deleted_at: Date | null;

  @ApiTimeProperty({ nullable: true, description: 'Null without a transcript or an end of its retention.' })
  transcript_expires_at: Date | null;

  @ApiNumberProperty({ nullable: true, description: 'Charged; null until the job has ended.' })
  credits: number | null;

  @ApiTextProperty({ nullable: true, description: 'What to do about a failure.' })
  advice: string | null;

  @ApiTextProperty({ nullable: true, description: MASKED_URL_DESCRIPTION })
  callback_url: string | null;

  @ApiProperty({ type: [ConsoleJobEvent] })
  events: ConsoleJobEvent[];
}

export function toConsoleJob(job: ConsoleJobSummary): ConsoleJob {
  return {
    job_id: job.id,
    status: job.status,
    file_name: job.metadata[FILE_NAME_JOB_METADATA_KEY] ?? null,
    source: job.source,
    created_at: job.createdAt,
    completed_at: job.completedAt,
    duration_seconds: job.duration,
    output_type: job.outputType,
    key: job.key,
    created_by: job.creator,
    failed_stage: job.failedStage,
    reason: job.reason,
    steps_done: job.stepsDone,
    steps_total: job.stepsTotal,
    transcript_available: job.isTranscriptAvailable,
  };
}

/** @param operatorDays for which the operator retains transcripts; 0 for ever @param isManager whether the role has `webhooks.write` */
export function toConsoleJobDetails(
  job: ConsoleJobWithDetailsAndEvents,
  { operatorDays, isManager }: { operatorDays: number; isManager: boolean },
): ConsoleJobDetails {
  const { callback_url: callbackUrl } = job.options;
  const callback_url = callbackUrl === null || isManager ? callbackUrl : maskUrlSecrets(callbackUrl);
  const { finishedAt, isTranscriptAvailable } = job;
  const days = computeEffectiveRetentionDays(job.retentionDays, operatorDays);
  const expires = isTranscriptAvailable && finishedAt !== null && days !== null;
  return Object.assign(toConsoleJob(job), {
    options: { ...job.options, callback_url },
    metadata: job.metadata,
    request_id: job.requestId,
    queued_at: job.queuedAt,
    finished_at: finishedAt,
    audio_deleted_at: job.audioDeletedAt,
    transcript_expires_at: expires ? new Date(finishedAt.getTime() + days * DAY_MS) : null,
    credits: job.charged,
    advice: getFailedJobAdvice(job),
    callback_url,
    events: job.events.map(({ seq, type, at, data }) => ({
      seq,
      event: type,
      at,
      data: toPublicEventData({ type, data }),
    })),
  });
}
