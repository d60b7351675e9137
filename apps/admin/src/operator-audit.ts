import { userInfo } from 'node:os';
import { type AuditActor, type AuditedAction, recordAuditEvent } from '@app/auth';
import { describeError } from '@app/errors';
import type { DataSource, EntityManager } from 'typeorm';

/** The operator who runs the command, for the audit log. */
export function getOperatorActor(): AuditActor {
  const id = readUserNameOrId();
  return { kind: 'operator', id, name: id, address: null, requestId: null };
}

/** @param tx of the change, so that neither is without the other */
export function recordOperatorAction(tx: EntityManager, entry: AuditedAction): Promise<void> {
  return recordAuditEvent(tx, getOperatorActor(), entry);
}

/**
 * For changes of files, of an object store, at Stripe, of the schema or of many transactions: an event with `phase: started`
 * before the first, and one with `finished` or `failed` after the last. A crash between them leaves the first. A last event that
 * cannot be written does not change the outcome; if the run has succeeded, stderr gets a warning.
 * @param describeResult for the details of the last event
 * @param mayRunWithoutFirstEvent whether the run may begin although its first event failed with this error
 */
export async function runAndRecordOperatorAction<T>(
  { manager }: Pick<DataSource, 'manager'>,
  entry: AuditedAction,
  run: () => Promise<T>,
  describeResult: (result: T) => Record<string, unknown> = () => ({}),
  mayRunWithoutFirstEvent: (error: unknown) => boolean = () => false,
): Promise<T> {
  const record = (phase: 'started' | 'finished' | 'failed', more: Record<string, unknown> = {}) =>
    recordOperatorAction(manager, { ...entry, details: { phase, ...entry.details, ...more } });
  await record('started').catch((error: unknown) => {
    if (!mayRunWithoutFirstEvent(error)) throw error;
  });
  const result = await run().catch(async (error: unknown) => {
    // The error is what the operator must see, also if the database is gone.
    await record('failed').catch(() => undefined);
    throw error;
  });
  await record('finished', describeResult(result)).catch((error: unknown) => {
    process.stderr.write(
      `Warning: ${entry.action} has succeeded, but its end is not in the audit log: ${describeError(error)}\n`,
    );
  });
  return result;
}

/** A container may run under a number without a name, which `userInfo` does not know. */
export function readUserNameOrId(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
