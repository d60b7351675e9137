import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '../../support/child-process.js';
import { Client } from './client.js';
import { createDataDir, removeDataDir } from './data-dir.js';
import { findProcesses } from './processes.js';
import { type ProgramExit, type Environment, type ProgramResult, Program, runProgram } from './program.js';
import { createSharedDatabase, type SharedDatabase } from './shared-postgres.js';
import { until } from './until.js';

const READY_MS = 60_000;
const KILLED_MS = 60_000;

export interface Account {
  account_id: string;
  api_key: string;
}

export interface RestoreReport {
  rows: number;
  objects: number;
  missing_objects: number;
  stages_due: number;
  webhooks_pending: number;
  webhooks_held: boolean;
  open_multipart_uploads: number;
  service_secret_written: boolean;
}

/** The whole built service, started like `npm start`, with a free port and a fresh data folder. */
export class Service {
  private launcher: Program;

  private constructor(
    readonly dataDir: string,
    readonly port: number,
    private readonly env: Environment,
    private readonly database?: SharedDatabase,
  ) {
    this.launcher = this.launch();
  }

  /**
   * Resolves when it is ready. Unless `env` names a database, it gets a migrated one on the server that the run shares,
   * which starts much faster than an embedded one; `startEmbedded` is for tests of the embedded database.
   */
  static async start(env: Environment = {}): Promise<Service> {
    if (env['DATABASE_URL'] !== undefined) return Service.startEmbedded(env);
    const database = await createSharedDatabase();
    const settings = database ? { DATABASE_URL: database.url, ...env } : env;
    return Service.untilServiceReady(
      new Service(await createDataDir(), await findFreePort(), settings, database),
    );
  }

  /** Resolves when it is ready, on the embedded database unless `env` names another one. */
  static async startEmbedded(env: Environment = {}): Promise<Service> {
    return Service.untilServiceReady(new Service(await createDataDir(), await findFreePort(), env));
  }

  private static async untilServiceReady(service: Service): Promise<Service> {
    try {
      await service.untilReady();
      return service;
    } catch (error) {
      await service.stop();
      throw error;
    }
  }

  /** A service on fresh dependencies that a backup was restored to, and the output of the command. */
  static async restored(
    backup: string,
    env: Environment = {},
  ): Promise<{ service: Service; report: RestoreReport }> {
    const dataDir = await createDataDir();
    const port = await findFreePort();
    try {
      const settings = { ...env, DATA_DIR: dataDir, PORT: String(port) };
      const { code, stdout, stderr } = await runProgram('admin', ['restore', backup, '--json'], settings);
      if (code !== 0) throw new Error(`restore ended with ${code}: ${stderr}`);
      const service = new Service(dataDir, port, env);
      await service.untilReady().catch(async (error: unknown) => {
        await service.stop();
        throw error;
      });
      return { service, report: JSON.parse(stdout) as RestoreReport };
    } catch (error) {
      await removeDataDir(dataDir);
      throw error;
    }
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get logFile(): string {
    return join(this.dataDir, 'e2e.log');
  }

  get pid(): number {
    return this.launcher.pid;
  }

  /** Its settings, for additional programs. */
  get settings(): Environment {
    // A suite makes more requests with one key than the default limit allows.
    return {
      RATE_LIMIT_FACTOR: '100',
      DEVELOPMENT_ACCOUNT: 'true',
      DRAIN_SECONDS: '0',
      ...this.env,
      DATA_DIR: this.dataDir,
      PORT: String(this.port),
    };
  }

  /** The key of the development account. */
  async apiKey(): Promise<string> {
    return (await readFile(join(this.dataDir, 'dev-api-key'), 'utf8')).trim();
  }

  /** A caller with the development account's key, or another one. */
  async client(apiKey?: string): Promise<Client> {
    return new Client(this.baseUrl, apiKey ?? (await this.apiKey()));
  }

  /** Runs an operator command to its end. */
  admin(...args: string[]): Promise<ProgramResult> {
    return runProgram('admin', args, this.settings);
  }

  /** Runs an operator command that must succeed; @returns its output, as JSON. */
  async adminJson<T>(...args: string[]): Promise<T> {
    const { code, stdout, stderr } = await this.admin(...args);
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout) as T;
  }

  openAccount(credits: number): Promise<Account> {
    return this.adminJson<Account>('accounts', 'create', 'an organisation', '--credits', String(credits));
  }

  /** Queries its database, for state that HTTP does not show. */
  async databaseUrl(): Promise<string> {
    const configuredUrl = this.env['DATABASE_URL'];
    if (configuredUrl !== undefined) return configuredUrl;
    const settings = await readFile(join(this.dataDir, 'postgres', 'settings.json'), 'utf8');
    const { port, password } = JSON.parse(settings) as { port: number; password: string };
    return `postgres://zephyr:${password}@127.0.0.1:${port}/postgres`;
  }

  log(): Promise<string> {
    return readFile(this.logFile, 'utf8');
  }

  async pidOf(program: 'api' | 'processor'): Promise<number> {
    return until(`the ${program} runs`, async () => {
      const family = await findProcesses(this.dataDir);
      return family.find(({ parent, command }) => parent === this.pid && command.includes(`apps/${program}/`))
        ?.pid;
    });
  }

  async kill(program: 'api' | 'processor', signal: NodeJS.Signals): Promise<number> {
    const pid = await this.pidOf(program);
    process.kill(pid, signal);
    return pid;
  }

  /** Works while the program is stopped by a signal: it processes nothing meanwhile. */
  async whileStopped<T>(program: 'api' | 'processor', action: () => Promise<T>): Promise<T> {
    const stopped = await this.kill(program, 'SIGSTOP');
    try {
      return await action();
    } finally {
      sendSignal(stopped, 'SIGCONT');
    }
  }

  /** Kills launcher, programs and database at once, like a power failure. */
  async killAll(): Promise<void> {
    await until(
      'every process has exited',
      async () => {
        const family = await findProcesses(this.dataDir);
        for (const { pid } of family) sendSignal(pid, 'SIGKILL');
        return family.length === 0;
      },
      KILLED_MS,
    );
  }

  /** Starts it again on the same data and the same port. */
  async restart(): Promise<void> {
    this.launcher = this.launch();
    await this.untilReady();
  }

  terminate(): Promise<ProgramExit> {
    return this.launcher.stop();
  }

  /** Stops it gracefully and removes its processes and files. */
  async stop(): Promise<void> {
    try {
      await this.terminate();
      await this.dismissDatabase();
    } finally {
      await this.untilNoProcessRuns().catch(() => this.killAll());
      await removeDataDir(this.dataDir);
      await this.database?.drop();
    }
  }

  async untilNoProcessRuns(): Promise<void> {
    await until(
      'no process is left',
      async () => (await findProcesses(this.dataDir)).length === 0,
      KILLED_MS,
    );
  }

  async untilReady(): Promise<void> {
    await this.launcher.untilReady();
    await until(
      'the service is ready',
      async () => {
        const response = await fetch(`http://127.0.0.1:${this.env['HEALTH_PORT'] ?? this.port}/health/ready`);
        // Optional dependencies must be available, too.
        return ((await response.json()) as { status: string }).status === 'ok';
      },
      READY_MS,
    );
  }

  /** Stops the supervisor of its database, which would wait a moment for more clients. */
  private async dismissDatabase(): Promise<void> {
    const controlFile = await readFile(join(this.dataDir, 'postgres', 'keeper.json'), 'utf8').catch(
      () => null,
    );
    if (controlFile !== null) sendSignal((JSON.parse(controlFile) as { pid: number }).pid, 'SIGTERM');
  }

  private launch(): Program {
    return Program.launch('admin', ['start'], this.settings, this.logFile);
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It exited without a signal.
  }
}
