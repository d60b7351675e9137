import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Account } from './account.entity.js';
import { timestampColumn } from './columns.js';

@Entity('webhook_secret')
export class WebhookSecret {
  @PrimaryColumn({ primaryKeyConstraintName: 'webhook_secret_pk', type: 'uuid', name: 'account_id' })
  accountId: string;

  @ManyToOne(() => Account, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'webhook_secret_account_fk' })
  account: Relation<Account>;

  @Column({ type: 'text', name: 'key_id' })
  keyId: string;

  @Column({ type: 'bytea' })
  sealed: Buffer;

  /** A rotation changes it. */
  @Column({ ...timestampColumn, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
