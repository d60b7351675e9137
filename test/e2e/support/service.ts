import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '../../support/child-process.js';
import { Client } from './client.js';
import { createDataDir, removeDataDir } from './data-dir.js';
import { findProcesses } from './processes.js';
import { type ProgramExit, type Environment, type ProgramResult, Program, runProgram } from './program.js';
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

/** The whole built service, as `npm start` runs it, on a port and a data folder of its own. */
export class Service {
  private launcher: Program;

  private constructor(
    readonly dataDir: string,
    readonly port: number,
    private readonly env: Environment,
  ) {
    this.launcher = this.launch();
  }

  /** Resolves when it is ready. */
  static async start(env: Environment = {}): Promise<Service> {
    const service = new Service(await createDataDir(), await findFreePort(), env);
    try {
      await service.untilReady();
      return service;
    } catch (error) {
      await service.stop();
      throw error;
    }
  }

  /** A service on fresh parts that a backup was restored to, and what the command said. */
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

  /** The settings it runs with, for further programs beside it. */
  get settings(): Environment {
    // A suite makes more requests with one key than a caller may; nobody stands before it to be turned away.
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

  /** An operator command, run to its end. */
  admin(...args: string[]): Promise<ProgramResult> {
    return runProgram('admin', args, this.settings);
  }

  /** An operator command that must succeed; @returns what it printed, as JSON. */
  async adminJson<T>(...args: string[]): Promise<T> {
    const { code, stdout, stderr } = await this.admin(...args);
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout) as T;
  }

  openAccount(credits: number): Promise<Account> {
    return this.adminJson<Account>('accounts', 'create', 'an organisation', '--credits', String(credits));
  }

  /** Of its database, for what HTTP does not show. */
  async databaseUrl(): Promise<string> {
    const given = this.env['DATABASE_URL'];
    if (given !== undefined) return given;
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

  /** Works while the program stands still: nothing comes of what it has been given meanwhile. */
  async whileStopped<T>(program: 'api' | 'processor', work: () => Promise<T>): Promise<T> {
    const stopped = await this.kill(program, 'SIGSTOP');
    try {
      return await work();
    } finally {
      signalled(stopped, 'SIGCONT');
    }
  }

  /** Everything at once, as when the power goes: launcher, programs, database. */
  async killAll(): Promise<void> {
    await until(
      'every process is gone',
      async () => {
        const family = await findProcesses(this.dataDir);
        for (const { pid } of family) signalled(pid, 'SIGKILL');
        return family.length === 0;
      },
      KILLED_MS,
    );
  }

  /** Starts it once more on the same data and the same port. */
  async startAgain(): Promise<void> {
    this.launcher = this.launch();
    await this.untilReady();
  }

  terminate(): Promise<ProgramExit> {
    return this.launcher.stop();
  }

  /** Ends it in order and leaves nothing behind, neither processes nor files. */
  async stop(): Promise<void> {
    try {
      await this.terminate();
      await this.dismissDatabase();
    } finally {
      await this.untilNothingRuns().catch(() => this.killAll());
      await removeDataDir(this.dataDir);
    }
  }

  async untilNothingRuns(): Promise<void> {
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
        const answer = await fetch(`http://127.0.0.1:${this.env['HEALTH_PORT'] ?? this.port}/health/ready`);
        // What it can do without for a while is to be there, too.
        return ((await answer.json()) as { status: string }).status === 'ok';
      },
      READY_MS,
    );
  }

  /** Stops the supervisor of its database, which would wait a moment for further clients. */
  private async dismissDatabase(): Promise<void> {
    const controlFile = await readFile(join(this.dataDir, 'postgres', 'keeper.json'), 'utf8').catch(
      () => null,
    );
    if (controlFile !== null) signalled((JSON.parse(controlFile) as { pid: number }).pid, 'SIGTERM');
  }

  private launch(): Program {
    return Program.launch('admin', ['start'], this.settings, this.logFile);
  }
}

function signalled(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It went by itself.
  }
}
