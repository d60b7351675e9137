import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { nullableTimestampColumn, timestampColumn } from './columns.js';

@Entity('account')
@Index('account_owing', ['id'], { where: '"owed_credits" > 0' })
@Index('account_ended', ['id'], { where: '"ended_at" IS NOT NULL' })
@Index('account_transcript_retention', ['id'], { where: '"transcript_retention_days" IS NOT NULL' })
@Check('account_transcript_retention_positive', '"transcript_retention_days" > 0')
@Check('account_balance_not_negative', '"balance" >= 0')
@Check('account_owed_credits_not_negative', '"owed_credits" >= 0')
export class Account {
  @PrimaryColumn({ primaryKeyConstraintName: 'account_pk', type: 'uuid' })
  id: string;

  @Column({ type: 'text' })
  name: string;

  /** Always the sum of the credit entries of the account. */
  @Column({ type: 'bigint', default: 0 })
  balance: number;

  /** Credits of refunded or disputed payments that were spent already. The account creates no jobs until they are paid. */
  @Column({ type: 'bigint', name: 'owed_credits', default: 0 })
  owedCredits: number;

  /** `created_at` of the newest job; the next one is at least a microsecond later. */
  @Column({ ...timestampColumn, name: 'last_job_at', default: () => 'now()' })
  lastJobAt: Date;

  @Column({ ...nullableTimestampColumn, name: 'suspended_at' })
  suspendedAt: Date | null;

  /** When an owner ended it. Its jobs are deleted; the row stays for ledger and payments. */
  @Column({ ...nullableTimestampColumn, name: 'ended_at' })
  endedAt: Date | null;

  /** Chosen by the account; the operator's setting counts if it is shorter. Null: the operator's setting alone. */
  @Column({ type: 'integer', name: 'transcript_retention_days', nullable: true })
  transcriptRetentionDays: number | null;

  /** Its users need a session that began with two factors; API keys do not. */
  @Column({ type: 'boolean', name: 'requires_two_factors', default: false })
  requiresTwoFactors: boolean;

  /** What an operator set instead of the settings, by name of the quota (`QuotaOverrides` of the jobs library). */
  @Column({ type: 'jsonb', nullable: true })
  quotas: Record<string, number> | null;

  @Column({ ...timestampColumn, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
