import {
  Check,
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
  Unique,
} from 'typeorm';
import { Account } from './account.entity.js';
import { nullableTimestampColumn, nullableTextColumn, timestampColumn } from './columns.js';
import { User } from './user.entity.js';

export type JobStatus = 'processing' | 'completed' | 'failed';
export type JobAudioSource = 'upload' | 'multipart' | 'url' | 'stream';

/** The row is authoritative; queue messages only wake processors. */
@Entity('job')
@Unique('job_account_created', ['accountId', 'createdAt'])
@Index('job_account_status', ['accountId', 'status', 'createdAt'])
@Index('job_account_transcript', ['accountId', 'finishedAt'], { where: '"result_key" IS NOT NULL' })
@Index('job_key_created', ['apiKeyId', 'createdAt'], { where: '"api_key_id" IS NOT NULL' })
@Index('job_key_finished', ['apiKeyId', 'finishedAt'], { where: '"api_key_id" IS NOT NULL' })
@Index('job_details_kept', ['finishedAt'], {
  where: '"details_deleted_at" IS NULL AND "finished_at" IS NOT NULL',
})
@Index('job_details_deleted', ['finishedAt'], { where: '"details_deleted_at" IS NOT NULL' })
@Check('job_status_known', `"status" IN ('processing', 'completed', 'failed')`)
@Check('job_source_known', `"source" IN ('upload', 'multipart', 'url', 'stream')`)
export class Job {
  /** UUID v7. */
  @PrimaryColumn({ primaryKeyConstraintName: 'job_pk', type: 'uuid' })
  id: string;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  @ManyToOne(() => Account, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'job_account_fk' })
  account: Relation<Account>;

  /** Null for old jobs, and for those that a user created in the console. */
  @Column({ ...nullableTextColumn, name: 'api_key_id' })
  apiKeyId: string | null;

  /** Null unless a user created it in the console. */
  @Index('job_creator', { where: '"created_by" IS NOT NULL' })
  @Column({ type: 'uuid', name: 'created_by', nullable: true })
  createdBy: string | null;

  @ManyToOne(() => User, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'created_by', foreignKeyConstraintName: 'job_creator_fk' })
  creator: Relation<User> | null;

  /** Unique and increasing within the account, to the microsecond. */
  @Column({ ...timestampColumn, name: 'created_at' })
  createdAt: Date;

  @Column({ type: 'text', default: 'processing' })
  status: JobStatus;

  @Column({ type: 'text' })
  source: JobAudioSource;

  /** `JobOptions` of the jobs library. */
  @Column({ type: 'jsonb' })
  options: Record<string, unknown>;

  /** The entries are in `job_metadata` too. */
  @Column({ type: 'jsonb', nullable: true })
  metadata: Record<string, string> | null;

  @Column({ type: 'text', name: 'audio_key' })
  audioKey: string;

  @Column({ ...nullableTextColumn, name: 'audio_url' })
  audioUrl: string | null;

  /** The upload was signed for it. */
  @Column({ type: 'text', name: 'content_type' })
  contentType: string;

  @Column({ ...nullableTextColumn, name: 'upload_id' })
  uploadId: string | null;

  @Index('job_upload_expiry', {
    where: `"queued_at" IS NULL AND "status" = 'processing' AND "upload_expires_at" IS NOT NULL`,
  })
  @Column({ ...nullableTimestampColumn, name: 'upload_expires_at' })
  uploadExpiresAt: Date | null;

  /** End of the upload session, which pings extend. */
  @Column({ ...nullableTimestampColumn, name: 'upload_session_until' })
  uploadSessionUntil: Date | null;

  /** `file_size`, in bytes. */
  @Column({ type: 'bigint', name: 'declared_size', nullable: true })
  declaredSize: number | null;

  /** Bytes of each part but the last. */
  @Column({ type: 'bigint', name: 'part_size', nullable: true })
  partSize: number | null;

  /** Bytes of the completed upload; only audio with this size and etag is processed. */
  @Column({ type: 'bigint', name: 'stored_size', nullable: true })
  storedSize: number | null;

  @Column({ ...nullableTextColumn, name: 'stored_etag' })
  storedEtag: string | null;

  /** Set once, when the job may be processed. */
  @Column({ ...nullableTimestampColumn, name: 'queued_at' })
  queuedAt: Date | null;

  @Index('job_open_deadline', { where: `"status" = 'processing' AND "deadline_at" IS NOT NULL` })
  @Column({ ...nullableTimestampColumn, name: 'deadline_at' })
  deadlineAt: Date | null;

  /** Number of the newest event. */
  @Column({ type: 'integer', name: 'event_seq', default: 0 })
  eventSeq: number;

  @Column({ type: 'integer', name: 'steps_done', default: 0 })
  stepsDone: number;

  /** Null until chunking has ended. */
  @Column({ type: 'integer', name: 'steps_total', nullable: true })
  stepsTotal: number | null;

  /** Seconds; known after preprocess. */
  @Column({ type: 'double precision', nullable: true })
  duration: number | null;

  /** As in logs and error responses; null for jobs of earlier versions. */
  @Column({ ...nullableTextColumn, name: 'request_id' })
  requestId: string | null;

  /** Context of the trace that the job belongs to, as in the header of that name; null if it was not traced. */
  @Column({ ...nullableTextColumn })
  traceparent: string | null;

  /** Null again after the retention period. */
  @Column({ ...nullableTextColumn, name: 'result_key' })
  resultKey: string | null;

  /** `SPEAKER_n` -> name given by the account; null if none was ever given. */
  @Column({ type: 'jsonb', name: 'speaker_names', nullable: true })
  speakerNames: Record<string, string> | null;

  @Column({ ...nullableTextColumn, name: 'failed_stage' })
  failedStage: string | null;

  @Column(nullableTextColumn)
  reason: string | null;

  @Index('job_transcript_kept', { where: `"result_key" IS NOT NULL` })
  @Column({ ...nullableTimestampColumn, name: 'finished_at' })
  finishedAt: Date | null;

  /** While a processor deletes the audio of the ended job, or after that failed: when it is tried again. */
  @Column({ ...nullableTimestampColumn, name: 'audio_delete_from' })
  audioDeleteFrom: Date | null;

  /** When the audio and all intermediate objects were deleted. */
  @Column({ ...nullableTimestampColumn, name: 'audio_deleted_at' })
  audioDeletedAt: Date | null;

  /** When the stages and all events but the last were deleted. */
  @Column({ ...nullableTimestampColumn, name: 'details_deleted_at' })
  detailsDeletedAt: Date | null;
}
