import { Column, Entity, PrimaryColumn } from 'typeorm';
import { timestampColumn } from './columns.js';

/** The processor that maintains the installation, and when its rare tasks are due again. */
@Entity('maintenance_lease')
export class MaintenanceLease {
  @PrimaryColumn({ primaryKeyConstraintName: 'maintenance_lease_pk', type: 'text' })
  name: string;

  @Column({ type: 'uuid' })
  holder: string;

  @Column({ ...timestampColumn, name: 'lease_until' })
  leaseUntil: Date;
}
