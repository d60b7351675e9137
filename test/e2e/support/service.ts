import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '../../support/child-process.js';
import { createDataDir, removeDataDir } from './data-dir.js';
import { findProcesses } from './processes.js';
import { type ProgramExit, type Environment, Program, runProgram } from './program.js';
import { RunningService } from './running-service.js';
import { createSharedDatabase, type SharedDatabase } from './shared-postgres.js';
import { until } from './until.js';

const READY_MS = 60_000;
const KILLED_MS = 60_000;

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
export class Service extends RunningService {
  private launcher: Program;

  private constructor(
    dataDir: string,
    port: number,
    env: Environment,
    private readonly database?: SharedDatabase,
    private readonly hasProcessor = true,
  ) {
    super(dataDir, port, env);
    this.launcher = this.launch();
  }

  /**
   * Resolves when it is ready. Unless `env` names a database, it gets a migrated one on the server that the run shares,
   * which starts much faster than an embedded one; `startEmbedded` is for tests of the embedded database.
   * @param given the settings, or a function that returns them for a port
   */
  static async start(given: Environment | ((port: number) => Promise<Environment>) = {}): Promise<Service> {
    const port = await findFreePort();
    return Service.startWithDatabase(typeof given === 'function' ? await given(port) : given, port, true);
  }

  /** Like `start`, but only the API, for tests that need no processor: an idle one polls. */
  static async startApi(env: Environment = {}): Promise<Service> {
    return Service.startWithDatabase(env, await findFreePort(), false);
  }

  private static async startWithDatabase(
    env: Environment,
    port: number,
    hasProcessor: boolean,
  ): Promise<Service> {
    const database = env['DATABASE_URL'] === undefined ? await createSharedDatabase() : undefined;
    const settings = database ? { DATABASE_URL: database.url, ...env } : env;
    return Service.startOrCleanUp(new Service(await createDataDir(), port, settings, database, hasProcessor));
  }

  /** Resolves when it is ready, on the embedded database unless `env` names another one. */
  static async startEmbedded(env: Environment = {}): Promise<Service> {
    return Service.startOrCleanUp(new Service(await createDataDir(), await findFreePort(), env));
  }

  private static async startOrCleanUp(service: Service): Promise<Service> {
    try {
      await service.waitUntilReady();
      return service;
    } catch (error) {
      await service.stop();
      throw error;
    }
  }

  /** Restores a backup to fresh dependencies and starts a service on them. @returns it with the output of the command */
  static async startRestored(
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
      await service.waitUntilReady().catch(async (error: unknown) => {
        await service.stop();
        throw error;
      });
      return { service, report: JSON.parse(stdout) as RestoreReport };
    } catch (error) {
      await removeDataDir(dataDir);
      throw error;
    }
  }

  get logFile(): string {
    return join(this.dataDir, 'e2e.log');
  }

  get pid(): number {
    return this.launcher.pid;
  }

  log(): Promise<string> {
    return readFile(this.logFile, 'utf8');
  }

  async pidOf(program: 'api' | 'processor'): Promise<number> {
    if (!this.hasProcessor && program === 'api') return this.pid;
    return until(`the ${program} runs`, async () => {
      const processes = await findProcesses(this.dataDir);
      return processes.find(
        ({ parent, command }) => parent === this.pid && command.includes(`apps/${program}/`),
      )?.pid;
    });
  }

  async kill(program: 'api' | 'processor', signal: NodeJS.Signals): Promise<number> {
    const pid = await this.pidOf(program);
    process.kill(pid, signal);
    return pid;
  }

  /** Runs `action` while the program is suspended by a signal. */
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
        const processes = await findProcesses(this.dataDir);
        for (const { pid } of processes) sendSignal(pid, 'SIGKILL');
        return processes.length === 0;
      },
      KILLED_MS,
    );
  }

  /** Starts it again on the same data and the same port. */
  async restart(): Promise<void> {
    this.launcher = this.launch();
    await this.waitUntilReady();
  }

  terminate(): Promise<ProgramExit> {
    return this.launcher.stop();
  }

  /** Stops it gracefully and removes its processes and files. */
  async stop(): Promise<void> {
    try {
      await this.terminate();
      await this.stopDatabaseSupervisor();
    } finally {
      await this.waitUntilAllExited().catch(() => this.killAll());
      await removeDataDir(this.dataDir);
      await this.database?.drop();
    }
  }

  async waitUntilAllExited(): Promise<void> {
    await until(
      'no process is left',
      async () => (await findProcesses(this.dataDir)).length === 0,
      KILLED_MS,
    );
  }

  async waitUntilReady(): Promise<void> {
    await this.launcher.waitUntilReady();
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

  /** Stops the supervisor of its database, which would otherwise wait for more clients. */
  private async stopDatabaseSupervisor(): Promise<void> {
    const controlFile = await readFile(join(this.dataDir, 'postgres', 'keeper.json'), 'utf8').catch(
      () => null,
    );
    if (controlFile !== null) sendSignal((JSON.parse(controlFile) as { pid: number }).pid, 'SIGTERM');
  }

  private launch(): Program {
    const [app, args] = this.hasProcessor ? (['admin', ['start']] as const) : (['api', []] as const);
    return Program.launch(app, [...args], this.settings, this.logFile);
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It exited without a signal.
  }
}
