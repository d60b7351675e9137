import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation, Unique } from 'typeorm';
import { Account } from './account.entity.js';
import { timestampColumn } from './columns.js';

/** Terms under a name of the account. A job has its own copy of them, so changes count for later jobs only. */
@Entity('vocabulary')
@Unique('vocabulary_name', ['accountId', 'name'])
export class Vocabulary {
  /** UUID v7. */
  @PrimaryColumn({ primaryKeyConstraintName: 'vocabulary_pk', type: 'uuid' })
  id: string;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  @ManyToOne(() => Account, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'vocabulary_account_fk' })
  account: Relation<Account>;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text', array: true })
  terms: string[];

  @Column({ ...timestampColumn, name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}
