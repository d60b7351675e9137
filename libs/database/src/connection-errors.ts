import { QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';
import { getSqlState } from './transaction.js';

const NETWORK_ERROR_CODES = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
];
/** Connection lost; no disk, memory or places left; input and output failing; stopping, crashed, starting; a standby; too slow. */
const UNAVAILABLE_SQL_STATES = /^(08\w{3}|53\w{3}|58030|57P0[123]|25006|57014)$/;
const UNAVAILABLE_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|^timeout expired$|^Query read timeout$|is not queryable|connection is closed/i;

/** True when Postgres is away, starting, stopping, full or refuses further connections: trying again later may work. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // TypeORM gives a transaction's runner up when its connection is lost: what comes next only hears of that.
  if (isQueryRunnerReleased(error)) return true;
  const code = getSqlState(error) ?? '';
  return (
    NETWORK_ERROR_CODES.includes(code) ||
    UNAVAILABLE_SQL_STATES.test(code) ||
    UNAVAILABLE_MESSAGES.test(error.message)
  );
}

function isQueryRunnerReleased(error: Error): boolean {
  return (
    error instanceof QueryRunnerAlreadyReleasedError ||
    error instanceof QueryRunnerProviderAlreadyReleasedError
  );
}
