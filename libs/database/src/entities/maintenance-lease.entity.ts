import { Column, Entity, PrimaryColumn } from 'typeorm';
import { timestampColumn } from './columns.js';

/** Who maintains the installation, and when what runs rarely is due again. */
@Entity('maintenance_lease')
export class MaintenanceLease {
  @PrimaryColumn({ primaryKeyConstraintName: 'maintenance_lease_pk', type: 'text' })
  name: string;

  @Column({ type: 'uuid' })
  holder: string;

  @Column({ ...timestampColumn, name: 'lease_until' })
  leaseUntil: Date;
}
