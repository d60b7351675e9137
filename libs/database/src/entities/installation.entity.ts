import { Check, Column, Entity, Generated, PrimaryColumn } from 'typeorm';
import { nullableTimestampColumn, timestampColumn } from './columns.js';

@Entity('installation')
@Check('installation_single', '"id" = 1')
export class Installation {
  @PrimaryColumn({ primaryKeyConstraintName: 'installation_pk', type: 'integer', default: 1 })
  id: number;

  /** A process with another secret fails at startup. */
  @Column({ type: 'text', name: 'secret_fingerprint' })
  secretFingerprint: string;

  /** Also in the marker of the object store. */
  @Column({ type: 'uuid', name: 'installation_id' })
  @Generated('uuid')
  installationId: string;

  /** Null until a program has claimed an object store. */
  @Column({ type: 'uuid', name: 'store_id', nullable: true })
  storeId: string | null;

  /**
   * Grows while processors run; the marker of the store follows. A lower value than the marker's shows a
   * restore.
   */
  @Column({ type: 'bigint', default: 0 })
  generation: number;

  /** Set from a restore until the operator releases the webhooks. */
  @Column({ ...nullableTimestampColumn, name: 'webhooks_held_at' })
  webhooksHeldAt: Date | null;

  @Column({ ...timestampColumn, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
