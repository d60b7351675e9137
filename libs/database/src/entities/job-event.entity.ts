import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { timestampColumn } from './columns.js';
import { Job } from './job.entity.js';

export type JobEventType = 'progress' | 'completed' | 'failed';

/** Numbered from 1 per job without gaps. */
@Entity('job_event')
export class JobEvent {
  @PrimaryColumn({ primaryKeyConstraintName: 'job_event_pk', type: 'uuid', name: 'job_id' })
  jobId: string;

  @ManyToOne(() => Job, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'job_id', foreignKeyConstraintName: 'job_event_job_fk' })
  job: Relation<Job>;

  @PrimaryColumn({ primaryKeyConstraintName: 'job_event_pk', type: 'integer' })
  seq: number;

  @Column({ type: 'text' })
  type: JobEventType;

  @Column({ type: 'jsonb' })
  data: Record<string, unknown>;

  @Column({ ...timestampColumn, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
