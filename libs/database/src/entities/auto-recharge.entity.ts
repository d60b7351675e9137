import { Check, Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Account } from './account.entity.js';
import { nullableTextColumn, nullableTimestampColumn, timestampColumn } from './columns.js';

/**
 * `authentication_required`: the bank wants the owner of the card; `declined`: the card does not work; `dispute_lost`: the
 * bank has taken a payment back; `restored`: the settings are those of a backup, so they and what was charged may have changed since.
 */
export type RechargePauseReason = 'authentication_required' | 'declined' | 'dispute_lost' | 'restored';

/** Without a row, auto-recharge is off. */
@Entity('auto_recharge')
@Check('auto_recharge_below_positive', '"below" > 0')
@Check('auto_recharge_credits_positive', '"credits" > 0')
@Check('auto_recharge_monthly_limit_positive', '"monthly_limit" > 0')
export class AutoRecharge {
  @PrimaryColumn({ primaryKeyConstraintName: 'auto_recharge_pk', type: 'uuid', name: 'account_id' })
  accountId: string;

  @OneToOne(() => Account, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'auto_recharge_account_fk' })
  account: Relation<Account>;

  /** A job that finds fewer credits starts a recharge; 1 means an empty balance. */
  @Column({ type: 'bigint' })
  below: number;

  /** Credits per recharge. */
  @Column({ type: 'bigint' })
  credits: number;

  /** In the smallest unit of its currency, for the recharges of a calendar month (UTC). Null: no limit. */
  @Column({ type: 'bigint', name: 'monthly_limit', nullable: true })
  monthlyLimit: number | null;

  /** Of the limit, lower case; null: that of the settings. While they name another one, nothing is recharged. */
  @Column({ ...nullableTextColumn, name: 'limit_currency' })
  limitCurrency: string | null;

  @Column({ ...nullableTimestampColumn, name: 'paused_at' })
  pausedAt: Date | null;

  @Column({ ...nullableTextColumn, name: 'pause_reason' })
  pauseReason: RechargePauseReason | null;

  /** A change ends the pause after a declined payment. */
  @Column({ ...timestampColumn, name: 'changed_at', default: () => 'now()' })
  changedAt: Date;
}
