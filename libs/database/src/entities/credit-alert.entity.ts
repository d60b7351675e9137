import { Check, Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Account } from './account.entity.js';
import { timestampColumn } from './columns.js';

/** Owners and admins get a mail when the balance falls below a threshold. Without a row they get none. */
@Entity('credit_alert')
@Check('credit_alert_below_positive', '"below" > 0')
export class CreditAlert {
  @PrimaryColumn({ primaryKeyConstraintName: 'credit_alert_pk', type: 'uuid', name: 'account_id' })
  accountId: string;

  @OneToOne(() => Account, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'credit_alert_account_fk' })
  account: Relation<Account>;

  /** Credits. */
  @Column({ type: 'bigint' })
  below: number;

  /** No mail is sent before. */
  @Column({ ...timestampColumn, name: 'next_notice_at', default: () => 'now()' })
  nextNoticeAt: Date;
}
