import { Resolver as DnsClient } from 'node:dns/promises';

export interface NameServerQueryOptions {
  /** Ends all queries. */
  timeoutMs: number;
  /** `address:port`; default: those of the system. */
  servers: readonly string[] | undefined;
  /** For how many queries, one after the other, there is time. */
  queriesInSequence: number;
}

/** Runs queries that the time-out cancels. @throws like `work` */
export async function queryNameServers<T>(
  { timeoutMs, servers, queriesInSequence }: NameServerQueryOptions,
  work: (client: DnsClient) => Promise<T>,
): Promise<T> {
  const client = new DnsClient({ timeout: Math.ceil(timeoutMs / queriesInSequence), tries: 2 });
  if (servers) client.setServers(servers);
  const timer = setTimeout(() => client.cancel(), timeoutMs);
  try {
    return await work(client);
  } finally {
    clearTimeout(timer);
  }
}
