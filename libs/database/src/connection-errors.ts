import { QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';
import { sqlState } from './transaction.js';

const NETWORK = [
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
const STATES = /^(08\w{3}|53\w{3}|58030|57P0[123]|25006|57014)$/;
const MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|^timeout expired$|^Query read timeout$|is not queryable|connection is closed/i;

/** True when Postgres is away, starting, stopping, full or refuses further connections: trying again later may work. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // TypeORM gives a transaction's runner up when its connection is lost: what comes next only hears of that.
  if (isReleased(error)) return true;
  const code = sqlState(error) ?? '';
  return NETWORK.includes(code) || STATES.test(code) || MESSAGES.test(error.message);
}

function isReleased(error: Error): boolean {
  return (
    error instanceof QueryRunnerAlreadyReleasedError ||
    error instanceof QueryRunnerProviderAlreadyReleasedError
  );
}
