import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type PrivatePostgres, startPrivatePostgres } from '../../../support/private-postgres.js';
import { until } from '../../../e2e/support/until.js';
import type { HostNetwork } from './host-network.js';
import { runCommand } from './namespace.js';
import type { NetworkHost } from './network-host.js';

const PORT = 5432;
const STANDBY_NAME = 'standby';
const PROMOTION_MS = 30_000;
/** The address that moves is not known to the standby yet. */
const COMMON_SETTINGS = { listen_addresses: '*' };

/**
 * A primary and a standby with synchronous replication: a commit is acknowledged when both have it. Programs connect to one
 * address, which belongs to the primary.
 */
export class PostgresPair {
  private constructor(
    readonly primary: NetworkHost,
    readonly standby: NetworkHost,
    /** The address that moves. */
    private readonly address: string,
    private readonly servers: readonly PrivatePostgres[],
    private readonly standbyUrl: string,
    private readonly standbyFolder: string,
  ) {}

  static async start(network: HostNetwork): Promise<PostgresPair> {
    const [primary, standby] = [await network.addHost('postgres1'), await network.addHost('postgres2')];
    const address = network.reserveAddress();
    await primary.takeAddress(address);
    const standbyFolder = await mkdtemp(join(tmpdir(), 'standby-'));
    const first = await startPrivatePostgres({
      host: primary,
      port: PORT,
      settings: { ...COMMON_SETTINGS, synchronous_standby_names: STANDBY_NAME, synchronous_commit: 'on' },
      prepare: async (data) => {
        await PostgresPair.permitHosts(data);
        // The cluster has not run yet, so that a copy of its files is a base backup.
        await runCommand(['cp', '-a', data, standbyFolder]);
      },
    });
    const second = await startPrivatePostgres({
      host: standby,
      port: PORT,
      folder: standbyFolder,
      settings: {
        ...COMMON_SETTINGS,
        primary_conninfo: `host=${primary.address} port=${PORT} user=postgres application_name=${STANDBY_NAME}`,
      },
      prepare: (data) => writeFile(join(data, 'standby.signal'), ''),
    });
    const pair = new PostgresPair(primary, standby, address, [first, second], second.url, standbyFolder);
    await pair.waitForReplication(first.url);
    return pair;
  }

  /** Permits connections of other hosts to a cluster that is not started. @param data its folder */
  static async permitHosts(data: string): Promise<void> {
    const rules = ['all', 'replication'].map((database) => `host ${database} all samenet trust\n`);
    await appendFile(join(data, 'pg_hba.conf'), rules.join(''));
  }

  /** For programs. */
  get url(): string {
    return `postgres://postgres@${this.address}:${PORT}/postgres`;
  }

  /** Promotes the standby and moves the address to it; the primary must be off the network. @returns milliseconds */
  async promoteStandby(): Promise<number> {
    const startedAt = performance.now();
    const client = new pg.Client({ connectionString: this.standbyUrl });
    await client.connect();
    try {
      const { rows } = await client.query<{ promoted: boolean }>(
        `SELECT pg_promote(true, ${PROMOTION_MS / 1_000}) AS promoted`,
      );
      if (rows[0]?.promoted !== true) throw new Error('the standby was not promoted');
    } finally {
      await client.end();
    }
    await this.standby.takeAddress(this.address);
    return performance.now() - startedAt;
  }

  async remove(): Promise<void> {
    for (const server of this.servers) await server.remove();
    await rm(this.standbyFolder, { recursive: true, force: true });
  }

  private async waitForReplication(primaryUrl: string): Promise<void> {
    const client = new pg.Client({ connectionString: primaryUrl });
    await client.connect();
    try {
      await until('the standby replicates synchronously', async () => {
        const { rows } = await client.query(
          `SELECT FROM pg_stat_replication WHERE application_name = $1 AND sync_state = 'sync'`,
          [STANDBY_NAME],
        );
        return rows.length > 0;
      });
    } finally {
      await client.end();
    }
  }
}
