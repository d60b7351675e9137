import { Check, Column, Entity, Generated, PrimaryColumn } from 'typeorm';
import { nullableTimestampColumn, timestampColumn } from './columns.js';

/** The one row about this installation. */
@Entity('installation')
@Check('installation_single', '"id" = 1')
export class Installation {
  @PrimaryColumn({ primaryKeyConstraintName: 'installation_pk', type: 'integer', default: 1 })
  id: number;

  /** Hash of the service secret: a process started with another secret is told so at once. */
  @Column({ type: 'text', name: 'secret_fingerprint' })
  secretFingerprint: string;

  /** Names this installation in the marker of its object store. */
  @Column({ type: 'uuid', name: 'installation_id' })
  @Generated('uuid')
  installationId: string;

  /** The object store that belongs to this database; null until a program has claimed one. */
  @Column({ type: 'uuid', name: 'store_id', nullable: true })
  storeId: string | null;

  /** Grows while processors run; the marker of the store follows. A database that lags behind its store was restored. */
  @Column({ type: 'bigint', default: 0 })
  generation: number;

  /** Set while no webhooks are sent: from a restore until the operator's word. */
  @Column({ ...nullableTimestampColumn, name: 'webhooks_held_at' })
  webhooksHeldAt: Date | null;

  @Column({ ...timestampColumn, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
