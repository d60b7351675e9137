import { Column, Entity, PrimaryColumn } from 'typeorm';
import { nullableTimestampColumn, timestampColumn } from './columns.js';

/** How far the events of a payment provider were listed. */
@Entity('payment_event_scan')
export class PaymentEventScan {
  @PrimaryColumn({ primaryKeyConstraintName: 'payment_event_scan_pk', type: 'text' })
  provider: string;

  /** Start of the newest scan; other processes wait some time before the next one. */
  @Column({ ...timestampColumn, name: 'started_at' })
  startedAt: Date;

  /** By the clock of the payment provider. */
  @Column({ ...nullableTimestampColumn, name: 'scanned_until' })
  scannedUntil: Date | null;
}
