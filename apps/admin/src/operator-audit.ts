import { userInfo } from 'node:os';
import { type AuditActor, type AuditedAction, recordAuditEvent } from '@app/auth';
import type { DataSource, EntityManager } from 'typeorm';

/** The operator who runs the command, for the audit log. */
export function getOperatorActor(): AuditActor {
  // A container may run under a number without a name.
  const id = readUserName() ?? String(process.getuid?.() ?? 'unknown');
  return { kind: 'operator', id, name: id, address: null, requestId: null };
}

/** Give the transaction of the change, where the change has one of its own. */
export function recordOperatorAction(db: DataSource | EntityManager, entry: AuditedAction): Promise<void> {
  return recordAuditEvent('manager' in db ? db.manager : db, getOperatorActor(), entry);
}

function readUserName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}
