import type { EntityManager } from 'typeorm';

/** Writes the audit event of a change to an account, in the transaction of the change. */
export type RecordChange = (
  tx: EntityManager,
  change: { action: string; target: string; details: Record<string, unknown> },
) => Promise<void>;

/** Until the end of the transaction, other changes to the account that lock its row wait. */
export async function lockAccountRow(tx: EntityManager, accountId: string): Promise<void> {
  await tx.query('SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
}
