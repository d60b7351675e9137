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
/**
 * Connection lost; out of disk, memory or connections; I/O error; shutdown, crash or startup; standby; query
 * canceled.
 */
const UNAVAILABLE_SQL_STATES = /^(08\w{3}|53\w{3}|58030|57P0[123]|25006|57014)$/;
const UNAVAILABLE_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|^timeout expired$|^Query read timeout$|is not queryable|connection is closed/i;

/** A retry may succeed. */
export function isDatabaseUnavailableError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // TypeORM releases the query runner of a transaction whose connection was lost; later calls only see that.
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
