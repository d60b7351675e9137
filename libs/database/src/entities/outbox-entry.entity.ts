import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { timestampColumn } from './columns.js';

/** The relay adds the message to the queue and then deletes the row. */
@Entity('outbox')
export class OutboxEntry {
  @PrimaryGeneratedColumn('identity', {
    primaryKeyConstraintName: 'outbox_pk',
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
  })
  id: number;

  @Column({ type: 'text' })
  queue: string;

  /** Adding the same id twice is harmless. */
  @Column({ type: 'text', name: 'delivery_id' })
  messageId: string;

  @Column({ type: 'jsonb' })
  payload: Record<string, unknown>;

  @Index('outbox_due')
  @Column({ ...timestampColumn, name: 'due_at', default: () => 'now()' })
  dueAt: Date;
}
