import { Column, Entity, PrimaryColumn } from 'typeorm';
import { timestampColumn } from './columns.js';

/** A stored object or an open multipart upload without a row. */
@Entity('orphan_observation')
export class OrphanObservation {
  @PrimaryColumn({ primaryKeyConstraintName: 'orphan_observation_pk', type: 'text' })
  key: string;

  /** Empty for an object. */
  @PrimaryColumn({ primaryKeyConstraintName: 'orphan_observation_pk', type: 'text', name: 'upload_id' })
  uploadId: string;

  @Column({ ...timestampColumn, name: 'first_seen_at', default: () => 'now()' })
  firstSeenAt: Date;

  @Column({ ...timestampColumn, name: 'last_seen_at', default: () => 'now()' })
  lastSeenAt: Date;

  /** Number of observations at least an hour apart. */
  @Column({ type: 'integer', default: 1 })
  observations: number;
}
