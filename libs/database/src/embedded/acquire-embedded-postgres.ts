import type { ChildProcess } from 'node:child_process';
import { mkdir, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  connectToSupervisor,
  type SupervisorConnection,
  type SupervisorStatus,
  startSupervisor,
} from './supervisor-connection.js';

const READY_TIMEOUT_MS = 90_000;

export interface EmbeddedPostgresLogger {
  info(message: string): void;
  warn(message: string): void;
}

export interface EmbeddedPostgresOptions {
  /** The service's data folder; made (mode 0700) when absent. Everything of ours lies in its `postgres` folder. */
  dataDir: string;
  logger: EmbeddedPostgresLogger;
  /** False trades safety against power loss for speed; for tests. Default true. The first program decides. */
  durable?: boolean;
}

export interface EmbeddedPostgres {
  /** `postgres://user:password@127.0.0.1:port/postgres`, the owner of everything. The same over restarts. */
  readonly url: string;
  /** Gives up this program's claim. The server stops about two seconds after the last claim is gone. */
  release(): Promise<void>;
}

/** The embedded server could not be brought up; the message says why, for a person. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

/**
 * Joins the Postgres server of a data folder, making and starting it when nobody has.
 *
 * A keeper process owns the server and serves every program on this machine that uses the folder; it ends, with the
 * server, soon after the last one is gone, also when that one was killed. If the server dies, the keeper starts it
 * anew at the same address; if the keeper dies, the server goes with it and the programs that are left start both
 * anew. Meanwhile connections fail: callers retry as with any Postgres.
 *
 * Postgres does not run as root. Started by root, the server runs as `nobody`; a data folder that is closed to
 * others (0700) is opened (0710) to a group of the server alone. Where folders above it are closed too
 * (`/root/...`), the cluster lives under `/var/lib/zephyr/clusters` and the data folder holds a pointer to it:
 * deleting the data folder gives a fresh service, a copy of it does not contain the database.
 *
 * @throws EmbeddedPostgresError
 */
export async function acquireEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
  const home = join(await realpath(options.dataDir), 'postgres');
  await mkdir(home, { recursive: true, mode: 0o700 });
  const client = new EmbeddedPostgresClient(home, options.durable ?? true, options.logger);
  const url = await client.connect();
  return { url, release: () => client.release() };
}

/** One program's wish to have the server running. */
class EmbeddedPostgresClient {
  private connection: SupervisorConnection | undefined;
  private released = false;
  private url = '';

  constructor(
    private readonly home: string,
    private readonly durable: boolean,
    private readonly logger: EmbeddedPostgresLogger,
  ) {}

  /** Finds a keeper, or starts one, and waits for a server that takes connections. */
  async connect(): Promise<string> {
    const deadline = Date.now() + READY_TIMEOUT_MS;
    let candidate: ChildProcess | undefined;
    while (Date.now() < deadline) {
      const link = await connectToSupervisor(this.home);
      if (link) {
        const url = await waitUntilReady(link, deadline);
        if (url !== undefined) return this.attach(link, url);
      } else if (!candidate || candidate.exitCode === 0) {
        candidate = await startSupervisor(this.home, this.durable);
      } else if (candidate.exitCode !== null || candidate.signalCode !== null) {
        throw new EmbeddedPostgresError(
          `The embedded database did not start: ${await this.readLastLogLine()}`,
        );
      }
      await pause(25);
    }
    throw new EmbeddedPostgresError(
      `The embedded database did not start in time: ${await this.readLastLogLine()}`,
    );
  }

  async release(): Promise<void> {
    this.released = true;
    await this.connection?.close();
  }

  private attach(link: SupervisorConnection, url: string): string {
    if (this.url && this.url !== url) {
      this.logger.warn('The embedded database had to move to another port: restart this program.');
    }
    this.url = url;
    this.connection = link;
    link.onStatus((message) => this.logStatus(message));
    link.onClose(() => void this.reconnect());
    link.unref();
    return url;
  }

  private async reconnect(): Promise<void> {
    this.connection = undefined;
    while (!this.released) {
      this.logger.warn('The keeper of the embedded database has ended; starting it again.');
      try {
        await this.connect();
        this.logger.info('The embedded database is back.');
        break;
      } catch (error) {
        this.logger.warn(error instanceof Error ? error.message : String(error));
        await pause(2_000);
      }
    }
    // Released while we were joining: the claim must not stay.
    if (this.released) await (this.connection as SupervisorConnection | undefined)?.close();
  }

  private logStatus(message: SupervisorStatus): void {
    if (message.state === 'ready') this.logger.info('The embedded database is back.');
    else if (message.state !== 'starting')
      this.logger.warn(`The embedded database is down: ${message.message}`);
  }

  private async readLastLogLine(): Promise<string> {
    const log = await readFile(join(this.home, 'postgres.log'), 'utf8').catch(() => '');
    return log.trim().split('\n').at(-1) || 'it said nothing';
  }
}

/** The address once the server takes connections; undefined when the keeper left before. */
async function waitUntilReady(link: SupervisorConnection, deadline: number): Promise<string | undefined> {
  const timeout = setTimeout(() => void link.close(), Math.max(1, deadline - Date.now()));
  try {
    return await new Promise<string | undefined>((resolve, reject) => {
      link.onClose(() => resolve(undefined));
      link.onStatus((message) => {
        if (message.state === 'ready') resolve(message.url);
        if (message.state === 'failed') reject(new EmbeddedPostgresError(message.message));
      });
    });
  } catch (error) {
    await link.close();
    throw error;
  } finally {
    clearTimeout(timeout);
  }
}
