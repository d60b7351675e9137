import { describeError } from '@app/errors';
import type { ChildProcess } from 'node:child_process';
import { mkdir, readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
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
  /** Created with mode 0700 if it does not exist. */
  dataDir: string;
  logger: EmbeddedPostgresLogger;
  /**
   * False trades durability for speed, in tests. Default true. The program that starts the server decides.
   */
  durable?: boolean;
}

export interface EmbeddedPostgres {
  /** `postgres://user:password@127.0.0.1:port/postgres`, as superuser. Stable across restarts. */
  readonly url: string;
  /** Releases the claim of this program. The server stops about two seconds after the last claim. */
  release(): Promise<void>;
}

/** The message states why the embedded server did not start. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

/**
 * Connects to the Postgres server of a data directory, and creates and starts it if needed.
 *
 * A supervisor process owns the server for all programs on this machine that use the directory, and stops
 * soon after the last one ends or is killed. It restarts a dead server at the same URL. If the supervisor
 * dies, the server stops too, and the remaining programs start both again; meanwhile connections fail.
 *
 * Postgres does not run as root. Started by root, the server runs as `nobody`, and a private data directory
 * (0700) is opened (0710) to a group that only the server has. If a directory above it is private too
 * (`/root/...`), the cluster is below `/var/lib/zephyr/clusters` and the data directory contains its path:
 * deleting the data directory gives a new service, and a copy of it does not contain the database.
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

/** @returns the folder of the database that a copy of the data directory lacks; undefined if the data directory contains it */
export async function findDatabaseFolderOutsideDataDir(dataDir: string): Promise<string | undefined> {
  const cluster = await readFile(join(dataDir, 'postgres', 'location'), 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  });
  return cluster.trim() === '' ? undefined : dirname(cluster.trim());
}

class EmbeddedPostgresClient {
  private connection: SupervisorConnection | undefined;
  private released = false;
  private url = '';

  constructor(
    private readonly home: string,
    private readonly durable: boolean,
    private readonly logger: EmbeddedPostgresLogger,
  ) {}

  async connect(): Promise<string> {
    const deadline = Date.now() + READY_TIMEOUT_MS;
    let candidate: ChildProcess | undefined;
    while (Date.now() < deadline) {
      const connection = await connectToSupervisor(this.home);
      if (connection) {
        const url = await waitUntilReady(connection, deadline);
        if (url !== undefined) return this.attach(connection, url);
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

  private attach(connection: SupervisorConnection, url: string): string {
    if (this.url && this.url !== url) {
      this.logger.warn('the embedded database has moved to another port: restart this program');
    }
    this.url = url;
    this.connection = connection;
    connection.onStatus((message) => this.logStatus(message));
    connection.onClose(() => void this.reconnect());
    connection.unref();
    return url;
  }

  private async reconnect(): Promise<void> {
    this.connection = undefined;
    while (!this.released) {
      this.logger.warn('the supervisor of the embedded database has ended; starting it again');
      try {
        await this.connect();
        this.logger.info('the embedded database is available again');
        break;
      } catch (error) {
        this.logger.warn(describeError(error));
        await pause(2_000);
      }
    }
    // Released during the reconnect: the new claim must not stay.
    if (this.released) await (this.connection as SupervisorConnection | undefined)?.close();
  }

  private logStatus(message: SupervisorStatus): void {
    if (message.state === 'ready') this.logger.info('the embedded database is available again');
    else if (message.state !== 'starting')
      this.logger.warn(`the embedded database is down: ${message.message}`);
  }

  private async readLastLogLine(): Promise<string> {
    const log = await readFile(join(this.home, 'postgres.log'), 'utf8').catch(() => '');
    return log.trim().split('\n').at(-1) || 'no message';
  }
}

/** @returns undefined if the supervisor ended before the server accepted connections */
async function waitUntilReady(
  connection: SupervisorConnection,
  deadline: number,
): Promise<string | undefined> {
  const timeout = setTimeout(() => void connection.close(), Math.max(1, deadline - Date.now()));
  try {
    return await new Promise<string | undefined>((resolve, reject) => {
      connection.onClose(() => resolve(undefined));
      connection.onStatus((message) => {
        if (message.state === 'ready') resolve(message.url);
        if (message.state === 'failed') reject(new EmbeddedPostgresError(message.message));
      });
    });
  } catch (error) {
    await connection.close();
    throw error;
  } finally {
    clearTimeout(timeout);
  }
}
