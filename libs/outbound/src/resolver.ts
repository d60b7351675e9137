import { lookup } from 'node:dns/promises';
import pTimeout from 'p-timeout';
import { type HostnameClass, runInLookupThread } from './lookup-threads.js';
import { createNameServerProbe, isDnsErrorWithoutAnswer, isServerFailure } from './name-server-probe.js';
import { queryNameServers } from './query-name-servers.js';
import { NOT_PUBLIC_MESSAGE, UnansweredDnsNameError } from './ssrf-errors.js';

export type Resolver = (name: string) => Promise<string[]>;

/** After the lookup of a name, which has a time-out of its own. */
const MAX_PROBE_MS = 2_500;

/**
 * Queries the name servers for IPv4 and IPv6. A lookup by the system cannot be aborted and blocks one of the
 * few threads that file access needs.
 * @param servers `address:port`; default: those of the system
 * @returns a resolver that rejects without an answer, with `UnansweredDnsNameError` if the name servers answer other questions
 */
export function createDnsResolver(timeoutMs: number, servers?: readonly string[]): Resolver {
  const doNameServersRespond = createNameServerProbe(Math.min(timeoutMs, MAX_PROBE_MS), servers);
  return async (name) => {
    const answers = await queryNameServers({ timeoutMs, servers, queriesInSequence: 2 }, (client) =>
      Promise.allSettled([client.resolve4(name), client.resolve6(name)]),
    );
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const failure = answers.find(
      (answer) => answer.status === 'rejected' && isDnsErrorWithoutAnswer(answer.reason),
    );
    if (found.length > 0 || failure?.status !== 'rejected') return found;
    const error = failure.reason as NodeJS.ErrnoException;
    throw (await doNameServersRespond()) ? new UnansweredDnsNameError(NOT_PUBLIC_MESSAGE, error.code) : error;
  };
}

/**
 * Uses the hosts file, search domains and local names too.
 * @returns a resolver that rejects if the system does not answer in time
 */
export function createSystemResolver(
  timeoutMs: number,
  lookUp = lookup,
  kind: HostnameClass = 'allowed',
): Resolver {
  return async (name) => {
    const caller = new AbortController();
    const found = runInLookupThread(kind, caller.signal, () =>
      lookUp(name, { all: true, verbatim: true }).then(
        (addresses) => addresses.map(({ address }) => address),
        () => [],
      ),
    );
    try {
      return await pTimeout(found, { milliseconds: timeoutMs });
    } finally {
      caller.abort();
    }
  };
}

/**
 * Tries the second resolver if the first finds no address. An error of the first ends the search, unless it is a failure that a name server
 * has reported: then the hosts file may still have the name, and there is time left. An error of the second does not count: the first
 * knows that the name does not exist.
 */
export function createChainedResolver(first: Resolver, second: Resolver): Resolver {
  return async (name) => {
    let failure: Error | undefined;
    const found = await first(name).catch((error: unknown) => {
      if (!isServerFailure(error)) throw error;
      failure = error;
      return [];
    });
    if (found.length > 0) return found;
    const others = await second(name).catch(() => []);
    if (others.length === 0 && failure) throw failure;
    return others;
  };
}

/**
 * Asks the second resolver if the first finds no address within `patienceMs`. Addresses of the first win, as it may have better ones.
 * @returns a resolver that rejects if one of them fails and none finds an address
 */
export function createHedgedResolver(first: Resolver, second: Resolver, patienceMs: number): Resolver {
  return async (name) => {
    const preferred = first(name);
    const early = await pTimeout(preferred, { milliseconds: patienceMs }).catch(() => []);
    if (early.length > 0) return early;
    const answers = await Promise.allSettled([preferred, second(name)]);
    const found = answers.find((answer) => answer.status === 'fulfilled' && answer.value.length > 0);
    const failure = answers.findLast((answer) => answer.status === 'rejected');
    if (found?.status === 'fulfilled') return found.value;
    if (failure) throw failure.reason;
    return [];
  };
}
