import { inTransaction } from '@app/database';
import type { DataSource } from 'typeorm';
import type { JobQueue } from '../queue/job-queue.js';
import { deleteMessages, lockDueMessages } from './outbox.repository.js';

const BATCH = 200;

/**
 * Sends due messages from the outbox to the queue: it adds them first and deletes them afterwards. After a crash
 * in between, the same ids are added again, which the queue ignores. Concurrent relays share the rows by SKIP
 * LOCKED.
 * @returns the number of messages; a full batch means there may be more
 */
export async function relayBatch(dataSource: DataSource, queue: Pick<JobQueue, 'add'>): Promise<number> {
  return inTransaction(dataSource, async (tx) => {
    const rows = await lockDueMessages(tx, BATCH);
    if (rows.length === 0) return 0;
    await queue.add(rows.map((row) => ({ queue: row.queue, id: row.messageId, payload: row.payload })));
    await deleteMessages(
      tx,
      rows.map(({ id }) => id),
    );
    return rows.length;
  });
}
