import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Account } from './account.entity.js';
import { timestampColumn } from './columns.js';

/** The secret that an organisation's webhooks are signed with, sealed. */
@Entity('webhook_secret')
export class WebhookSecret {
  @PrimaryColumn({ primaryKeyConstraintName: 'webhook_secret_pk', type: 'uuid', name: 'account_id' })
  accountId: string;

  @ManyToOne(() => Account, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'webhook_secret_account_fk' })
  account: Relation<Account>;

  /** Tells which key it is sealed with. */
  @Column({ type: 'text', name: 'key_id' })
  keyId: string;

  @Column({ type: 'bytea' })
  sealed: Buffer;

  /** Of this secret: a rotation renews it. */
  @Column({ ...timestampColumn, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
