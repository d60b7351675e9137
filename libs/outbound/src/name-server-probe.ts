import { queryNameServers } from './query-name-servers.js';

/** What a local resolver says to every question while it reaches no name server itself. */
const SERVER_FAILURE_CODE = 'ESERVFAIL';
/** Failures without an answer of a name server. */
const NO_ANSWER_CODES = new Set(['ETIMEOUT', 'ECANCELLED', 'ECONNREFUSED', SERVER_FAILURE_CODE]);

export function isDnsErrorWithoutAnswer(error: unknown): error is NodeJS.ErrnoException {
  return NO_ANSWER_CODES.has((error as NodeJS.ErrnoException).code ?? '');
}

/** Of a name server that responded, unlike the other failures without an answer. */
export function isServerFailure(error: unknown): error is Error {
  return (error as NodeJS.ErrnoException).code === SERVER_FAILURE_CODE;
}

const MAX_AGE_MS = 5_000;

/**
 * Asks about the root: about a single name, a name server is also silent if those of the name are.
 * @returns whether a name server answers, whatever it answers, other than that it failed; known for some seconds, so that many names do
 * not multiply queries
 */
export function createNameServerProbe(
  timeoutMs: number,
  servers?: readonly string[],
): () => Promise<boolean> {
  let result: Promise<boolean> | undefined;
  let expiresAt = -Infinity;
  return () => {
    if (result && performance.now() < expiresAt) return result;
    expiresAt = Infinity;
    result = probe(timeoutMs, servers).finally(() => (expiresAt = performance.now() + MAX_AGE_MS));
    return result;
  };
}

function probe(timeoutMs: number, servers?: readonly string[]): Promise<boolean> {
  // Time for three name servers.
  return queryNameServers({ timeoutMs, servers, queriesInSequence: 3 }, (client) =>
    client.resolveNs('.').then(
      () => true,
      (error: unknown) => !isDnsErrorWithoutAnswer(error),
    ),
  );
}
