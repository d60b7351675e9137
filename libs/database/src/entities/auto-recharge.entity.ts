import { Check, Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Account } from './account.entity.js';
import { timestampColumn } from './columns.js';

/** An organisation that wants its credit topped up by itself; without a row it does not. */
@Entity('auto_recharge')
@Check('auto_recharge_below_positive', '"below" > 0')
@Check('auto_recharge_credits_positive', '"credits" > 0')
export class AutoRecharge {
  @PrimaryColumn({ primaryKeyConstraintName: 'auto_recharge_pk', type: 'uuid', name: 'account_id' })
  accountId: string;

  @OneToOne(() => Account, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'auto_recharge_account_fk' })
  account: Relation<Account>;

  /** A create that finds less than this asks for more; 1 is an empty balance. */
  @Column({ type: 'bigint' })
  below: number;

  /** Whole credits that are asked for at a time. */
  @Column({ type: 'bigint' })
  credits: number;

  /** Setting it anew ends the pause that follows a payment that was declined. */
  @Column({ ...timestampColumn, name: 'changed_at', default: () => 'now()' })
  changedAt: Date;
}
