import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { nullableTimestampColumn, nullableTextColumn, timestampColumn } from './columns.js';
import { Job } from './job.entity.js';

export type StageState = 'pending' | 'running' | 'done' | 'dropped';

@Entity('job_stage')
@Index('job_stage_turn', ['queue', 'accountId', 'fairRank', 'jobId'], { where: `"state" = 'pending'` })
@Index('job_stage_queue_due', ['queue', 'dueAt'], { where: `"state" = 'pending'` })
@Check('job_stage_state_known', `"state" IN ('pending', 'running', 'done', 'dropped')`)
export class JobStage {
  @PrimaryColumn({ primaryKeyConstraintName: 'job_stage_pk', type: 'uuid', name: 'job_id' })
  jobId: string;

  @ManyToOne(() => Job, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'job_id', foreignKeyConstraintName: 'job_stage_job_fk' })
  job: Relation<Job>;

  /** `fetch`, `preprocess`, `chunk:N` or `aggregation`. */
  @PrimaryColumn({ primaryKeyConstraintName: 'job_stage_pk', type: 'text' })
  name: string;

  @Column({ type: 'text' })
  queue: string;

  /** For fair scheduling. */
  @Column({ type: 'uuid', name: 'account_id', default: '00000000-0000-0000-0000-000000000000' })
  accountId: string;

  /** The lowest waiting rank of the account in the queue runs first. */
  @Column({ type: 'bigint', name: 'place', default: 0 })
  fairRank: number;

  /** N of `chunk:N`, else 0. */
  @Column({ type: 'integer', name: 'chunk_index', default: 0 })
  chunkIndex: number;

  @Column({ type: 'text', default: 'pending' })
  state: StageState;

  /** Raised with every claim and release; a write with an older number changes nothing. */
  @Column({ type: 'integer', default: 0 })
  fence: number;

  /** Without those that ended with a shutdown or an outage of a dependency. */
  @Column({ type: 'integer', default: 0 })
  attempts: number;

  /** Those of the attempts whose lease expired, mostly because their process died. */
  @Column({ type: 'integer', default: 0 })
  crashes: number;

  /** While `pending`: when its message is sent again. */
  @Column({ ...timestampColumn, name: 'due_at', default: () => 'now()' })
  dueAt: Date;

  /** As `dueAt`; read by programs of the previous version. */
  @Column({ ...timestampColumn, name: 'waiting_since', default: () => 'now()' })
  waitingSince: Date;

  @Index('job_stage_lease', { where: `"state" = 'running'` })
  @Column({ ...nullableTimestampColumn, name: 'lease_until' })
  leaseUntil: Date | null;

  @Column({ type: 'jsonb', nullable: true })
  input: Record<string, unknown> | null;

  /** Result for later stages; null again when the job has ended. */
  @Column({ type: 'jsonb', nullable: true })
  result: Record<string, unknown> | null;

  /** Error of the last failed attempt, for operators. */
  @Column({ ...nullableTextColumn, name: 'last_error' })
  lastError: string | null;

  @Column({ ...nullableTimestampColumn, name: 'started_at' })
  startedAt: Date | null;

  @Column({ ...nullableTimestampColumn, name: 'finished_at' })
  finishedAt: Date | null;
}
