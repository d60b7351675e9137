import { lookup, Resolver as DnsClient } from 'node:dns/promises';

/** All addresses of a name; none when it has none. Ends within its own bound of time. */
export type Resolver = (name: string) => Promise<string[]>;

const NO_ANSWER_CODES = new Set(['ETIMEOUT', 'ECANCELLED']);

/**
 * Asks the name servers directly, IPv4 and IPv6 at once. The system's own look-up cannot be called off and holds
 * one of the few threads that file access needs too, so that names of strangers begin here.
 * @param servers `address:port`; those of the system when left out
 * @returns a resolver that rejects when the name servers kept silent
 */
export function createDnsResolver(timeoutMs: number, servers?: readonly string[]): Resolver {
  return async (name) => {
    const client = new DnsClient({ timeout: Math.ceil(timeoutMs / 2), tries: 2 });
    if (servers) client.setServers(servers);
    const timer = setTimeout(() => client.cancel(), timeoutMs);
    try {
      const answers = await Promise.allSettled([client.resolve4(name), client.resolve6(name)]);
      const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      if (found.length === 0) throwIfNoAnswer(answers);
      return found;
    } finally {
      clearTimeout(timer);
    }
  };
}

function throwIfNoAnswer(answers: PromiseSettledResult<string[]>[]): void {
  for (const answer of answers) {
    if (answer.status === 'fulfilled') continue;
    const error = answer.reason as NodeJS.ErrnoException;
    if (NO_ANSWER_CODES.has(error.code ?? '')) throw error;
  }
}

/** What the machine itself knows: hosts file, search domains, local names. */
export function createSystemResolver(timeoutMs: number): Resolver {
  return async (name) => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<string[]>((resolve) => (timer = setTimeout(() => resolve([]), timeoutMs)));
    const known = lookup(name, { all: true, verbatim: true }).then(
      (found) => found.map(({ address }) => address),
      () => [],
    );
    return Promise.race([known, late]).finally(() => clearTimeout(timer));
  };
}

/** One resolver after another until a name is known; a silent one ends the search. */
export function createFallbackResolver(...resolvers: Resolver[]): Resolver {
  return async (name) => {
    for (const resolver of resolvers) {
      const found = await resolver(name);
      if (found.length > 0) return found;
    }
    return [];
  };
}
