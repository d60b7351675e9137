import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Account } from './account.entity.js';
import { timestampColumn } from './columns.js';

/** Webhooks are also signed with it until it expires. */
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

  @Column({ type: 'text', name: 'key_id' })
  keyId: string;

  @Column({ type: 'bytea' })
  sealed: Buffer;

  @Column({ ...timestampColumn, name: 'expires_at' })
  expiresAt: Date;
}
