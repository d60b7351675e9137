import { Column, Entity, PrimaryColumn } from 'typeorm';
import { timestampColumn } from './columns.js';

/** When an account was last served in a queue; the one served the longest ago is next. */
@Entity('turn')
export class LastTurn {
  @PrimaryColumn({ primaryKeyConstraintName: 'turn_pk', type: 'text' })
  queue: string;

  /** Without a foreign key: rows of deleted accounts are never read. */
  @PrimaryColumn({ primaryKeyConstraintName: 'turn_pk', type: 'uuid', name: 'account_id' })
  accountId: string;

  @Column({ ...timestampColumn, name: 'taken_at' })
  lastServedAt: Date;
}
