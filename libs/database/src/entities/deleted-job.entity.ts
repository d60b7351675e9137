import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { nullableTimestampColumn, timestampColumn } from './columns.js';

/** A job whose row was deleted, until its objects are deleted and no more can be stored. */
@Entity('deleted_job')
export class DeletedJob {
  @PrimaryColumn({ primaryKeyConstraintName: 'deleted_job_pk', type: 'uuid', name: 'job_id' })
  jobId: string;

  @Column({ type: 'text', name: 'audio_key' })
  audioKey: string;

  /** Id of an upload in parts that may be open. */
  @Column({ type: 'text', name: 'upload_id', nullable: true })
  uploadId: string | null;

  /** When no worker and no PUT to a signed URL can store objects of the job any more; a deletion before that is repeated. */
  @Column({ ...timestampColumn, name: 'final_deletion_at' })
  finalDeletionAt: Date;

  /** At once until a deletion has succeeded, then at least daily until `finalDeletionAt`. */
  @Index('deleted_job_next_deletion')
  @Column({ ...timestampColumn, name: 'next_deletion_at', default: () => 'now()' })
  nextDeletionAt: Date;

  /** When no worker can store objects of the job any more. Null once a deletion has succeeded since; only audio may follow. */
  @Column({ ...nullableTimestampColumn, name: 'worker_writes_end_at', default: () => `'infinity'` })
  workerWritesEndAt: Date | null;
}
