import { Column, Entity, PrimaryColumn } from 'typeorm';
import { nullableTimestampColumn, timestampColumn } from './columns.js';

/**
 * Audio that comes with the request that creates its job: it is stored under the job's id before there is a job. The row
 * is gone once there is; one that stays says that the audio may be deleted.
 */
@Entity('audio_intake')
export class AudioIntake {
  @PrimaryColumn({ primaryKeyConstraintName: 'audio_intake_pk', type: 'uuid', name: 'job_id' })
  jobId: string;

  @Column({ ...timestampColumn, name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  /** No request takes longer for its body. */
  @Column({ ...timestampColumn, name: 'expires_at' })
  expiresAt: Date;

  /** From then on there will be no job: its audio is being deleted. */
  @Column({ ...nullableTimestampColumn, name: 'abandoned_at' })
  abandonedAt: Date | null;
}
