import { inTransaction, queryRows } from '@app/database';
import type { DataSource } from 'typeorm';
import type { QueueMessage, JobQueue } from '../queue/job-queue.js';

const BATCH = 200;

interface OutboxRow {
  id: number;
  queue: QueueMessage['queue'];
  delivery_id: string;
  payload: QueueMessage['payload'];
}

/**
 * Moves what is due from the outbox to the queue: add first, delete after. A crash between the two adds
 * the same id again, which the queue ignores. Several relays share the rows by SKIP LOCKED.
 * @returns how many were moved; a full batch means there may be more.
 */
export async function relayBatch(dataSource: DataSource, queue: JobQueue): Promise<number> {
  return inTransaction(dataSource, async (tx) => {
    const rows = await queryRows<OutboxRow>(
      tx,
      `SELECT id, queue, delivery_id, payload FROM outbox
       WHERE due_at <= now() ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`,
    );
    if (rows.length === 0) return 0;
    await queue.add(rows.map((row) => ({ queue: row.queue, id: row.delivery_id, payload: row.payload })));
    await tx.query('DELETE FROM outbox WHERE id = ANY($1::bigint[])', [rows.map(({ id }) => id)]);
    return rows.length;
  });
}
