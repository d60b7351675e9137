import { Column, Entity, PrimaryColumn } from 'typeorm';
import { nullableTimestampColumn, timestampColumn } from './columns.js';

/**
 * Audio of a one-request transcription, or a multipart upload, that is in the store before its job exists. Creating the job deletes the
 * row; after `expires_at` the audio may be deleted.
 */
@Entity('audio_intake')
export class AudioIntake {
  @PrimaryColumn({ primaryKeyConstraintName: 'audio_intake_pk', type: 'uuid', name: 'job_id' })
  jobId: string;

  @Column({ ...timestampColumn, name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  /** Maximum time of the request. */
  @Column({ ...timestampColumn, name: 'expires_at' })
  expiresAt: Date;

  /** When deletion of the audio began; no job is created after that. */
  @Column({ ...nullableTimestampColumn, name: 'abandoned_at' })
  abandonedAt: Date | null;
}
