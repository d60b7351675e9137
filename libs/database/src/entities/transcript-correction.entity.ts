import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { timestampColumn } from './columns.js';
import { Job } from './job.entity.js';
import { User } from './user.entity.js';

/** Text that a member wrote in place of a segment's. The stored transcript is never changed. */
@Entity('transcript_correction')
export class TranscriptCorrection {
  @PrimaryColumn({ primaryKeyConstraintName: 'transcript_correction_pk', type: 'uuid', name: 'job_id' })
  jobId: string;

  @ManyToOne(() => Job, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'job_id', foreignKeyConstraintName: 'transcript_correction_job_fk' })
  job: Relation<Job>;

  /** Index in the `segments` of the transcript document. */
  @PrimaryColumn({ primaryKeyConstraintName: 'transcript_correction_pk', type: 'integer' })
  segment: number;

  @Column({ type: 'text' })
  text: string;

  @Column({ ...timestampColumn, name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;

  /** Null for a deleted user. */
  @Column({ type: 'uuid', name: 'updated_by', nullable: true })
  updatedBy: string | null;

  @ManyToOne(() => User, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'updated_by', foreignKeyConstraintName: 'transcript_correction_user_fk' })
  user: Relation<User> | null;
}
