import { Column, Entity, PrimaryColumn } from 'typeorm';
import { timestampColumn } from './columns.js';

/** When an organisation last had a stage of a queue taken up: of those that wait, the one with the oldest turn is next. */
@Entity('turn')
export class FairShare {
  @PrimaryColumn({ primaryKeyConstraintName: 'turn_pk', type: 'text' })
  queue: string;

  /** Of no account any more, once that is deleted; nothing asks for the row then. */
  @PrimaryColumn({ primaryKeyConstraintName: 'turn_pk', type: 'uuid', name: 'account_id' })
  accountId: string;

  @Column({ ...timestampColumn, name: 'taken_at' })
  lastServedAt: Date;
}
