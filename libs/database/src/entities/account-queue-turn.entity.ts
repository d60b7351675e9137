import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { nullableTimestampColumn, timestampColumn } from './columns.js';

/**
 * When an account was last served in a queue; of those that wait, the one served the longest ago is next. Functions and
 * triggers of the database maintain it. The queue `webhook` stands for deliveries.
 */
@Entity('turn')
@Index('turn_next', ['queue', 'lastTurn', 'accountId'], { where: '"waiting"' })
@Index('turn_wake', ['queue', 'wakeAt'], { where: '"wake_at" IS NOT NULL' })
export class AccountQueueTurn {
  @PrimaryColumn({ primaryKeyConstraintName: 'turn_pk', type: 'text' })
  queue: string;

  /** Without a foreign key: rows of deleted accounts are never read. */
  @PrimaryColumn({ primaryKeyConstraintName: 'turn_pk', type: 'uuid', name: 'account_id' })
  accountId: string;

  /** Programs of the previous version order accounts by it. */
  @Column({ ...timestampColumn, name: 'taken_at', default: () => 'now()' })
  lastServedAt: Date;

  /** Rises with every turn in any queue; 0 before the first. */
  @Column({ type: 'bigint', name: 'last_turn', default: 0 })
  lastTurn: number;

  /** Whether the account has a pending stage that is due. May stay true until the next claim finds none. */
  @Column({ type: 'boolean', default: true })
  waiting: boolean;

  /** When the first of its pending stages becomes due, if none is due yet. */
  @Column({ ...nullableTimestampColumn, name: 'wake_at' })
  wakeAt: Date | null;
}
