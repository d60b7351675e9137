import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Account } from './account.entity.js';
import { timestampColumn } from './columns.js';

/** The secret that an account's webhooks were signed with before its rotation, sealed: they still are until it expires. */
@Entity('webhook_previous_secret')
export class WebhookPreviousSecret {
  @PrimaryColumn({
    primaryKeyConstraintName: 'webhook_previous_secret_pk',
    type: 'uuid',
    name: 'account_id',
  })
  accountId: string;

  @ManyToOne(() => Account, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'webhook_previous_secret_account_fk' })
  account: Relation<Account>;

  /** Tells which key it is sealed with. */
  @Column({ type: 'text', name: 'key_id' })
  keyId: string;

  @Column({ type: 'bytea' })
  sealed: Buffer;

  /** From then on webhooks are signed with the current secret alone. */
  @Column({ ...timestampColumn, name: 'expires_at' })
  expiresAt: Date;
}
