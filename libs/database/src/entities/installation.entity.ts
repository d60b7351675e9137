import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { moment } from './columns.js';

/** The one row about this installation. */
@Entity('installation')
@Check('installation_single', '"id" = 1')
export class Installation {
  @PrimaryColumn({ primaryKeyConstraintName: 'installation_pk', type: 'integer', default: 1 })
  id: number;

  /** Hash of the service secret: a process started with another secret is told so at once. */
  @Column({ type: 'text', name: 'secret_fingerprint' })
  secretFingerprint: string;

  @Column({ ...moment, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
