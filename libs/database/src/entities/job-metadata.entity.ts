import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { timestampColumn } from './columns.js';
import { Job } from './job.entity.js';

/**
 * Indexes the metadata of jobs in the order of creation, which an index of the jsonb column cannot. Never
 * changed.
 */
@Entity('job_metadata')
@Index('job_metadata_match', ['accountId', 'key', 'value', 'createdAt'])
export class JobMetadataEntry {
  @PrimaryColumn({ primaryKeyConstraintName: 'job_metadata_pk', type: 'uuid', name: 'job_id' })
  jobId: string;

  @PrimaryColumn({ primaryKeyConstraintName: 'job_metadata_pk', type: 'text' })
  key: string;

  @ManyToOne(() => Job, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'job_id', foreignKeyConstraintName: 'job_metadata_job_fk' })
  job: Relation<Job>;

  /** Copied from the job. */
  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  @Column({ type: 'text' })
  value: string;

  /** Copied from the job. */
  @Column({ ...timestampColumn, name: 'created_at' })
  createdAt: Date;
}
