import { Check, Column, Entity, Generated, PrimaryColumn } from 'typeorm';
import { nullableTimestampColumn, timestampColumn } from './columns.js';

/** The only row, about this installation. */
@Entity('installation')
@Check('installation_single', '"id" = 1')
export class Installation {
  @PrimaryColumn({ primaryKeyConstraintName: 'installation_pk', type: 'integer', default: 1 })
  id: number;

  /** Hash of the service secret, so that a process with another secret fails at startup. */
  @Column({ type: 'text', name: 'secret_fingerprint' })
  secretFingerprint: string;

  /** Id of this installation in the marker of its object store. */
  @Column({ type: 'uuid', name: 'installation_id' })
  @Generated('uuid')
  installationId: string;

  /** The object store that belongs to this database; null until a program has claimed one. */
  @Column({ type: 'uuid', name: 'store_id', nullable: true })
  storeId: string | null;

  /**
   * Grows while processors run, followed by the marker of the store. A database behind its store was restored.
   */
  @Column({ type: 'bigint', default: 0 })
  generation: number;

  /** Set while webhooks are held: from a restore until the operator releases them. */
  @Column({ ...nullableTimestampColumn, name: 'webhooks_held_at' })
  webhooksHeldAt: Date | null;

  @Column({ ...timestampColumn, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
