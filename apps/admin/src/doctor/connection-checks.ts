import { QUEUE_POOL_SIZE } from '@app/jobs';
import type { ConnectionLimitAndUse, LongestOpenTransaction } from './connection-use.repository.js';
import { type Finding, createOkFinding, createProblemFinding, createWarningFinding } from './finding.js';

/** Connections of an operator command and of a start that migrates. */
const OTHER_CONNECTIONS = 4;
const NAME = 'connections';

/** At most. @param queueInPostgres whether the queue is not in Redis */
export function computeMaxConnectionsPerProgram(poolSize: number, queueInPostgres: boolean): number {
  return poolSize + (queueInPostgres ? QUEUE_POOL_SIZE : 0);
}

/** Compares what an API and a processor may take with the limit of the server. */
export function buildConnectionLimitFinding(
  { permitted, open }: ConnectionLimitAndUse,
  perProgram: number,
): Finding {
  const programs = Math.max(0, Math.floor((permitted - OTHER_CONNECTIONS) / perProgram));
  const detail = `each API and processor takes up to ${perProgram}; the server permits ${permitted}, enough for ${programs}; ${open} are open`;
  const advice =
    'Raise max_connections of the server, lower DATABASE_POOL_SIZE, or set REDIS_URL, without which the queue takes ' +
    `${QUEUE_POOL_SIZE} more. A pooler must be in session mode.`;
  if (programs < 2) return createProblemFinding(NAME, detail, advice);
  if (open > permitted * 0.8) return createWarningFinding(NAME, detail, advice);
  return createOkFinding(NAME, detail);
}

/** Longer than a backup of a small installation. */
const LONG_TRANSACTION_SECONDS = 15 * 60;

/** Postgres keeps old versions of rows for a snapshot, and claims of stages then read all of them. */
export function buildLongTransactionFinding(oldest: LongestOpenTransaction | undefined): Finding {
  const name = 'old transactions';
  if (!oldest || oldest.seconds < LONG_TRANSACTION_SECONDS)
    return createOkFinding(name, 'none is open for 15 minutes');
  return createWarningFinding(
    name,
    `session ${oldest.pid} (${oldest.program || 'unnamed'}) has a transaction that began ${Math.floor(oldest.seconds / 60)} minutes ago`,
    'Claims of stages and webhooks become slower until it ends: end reports and dumps that are forgotten, and run long ones on a standby.',
  );
}
