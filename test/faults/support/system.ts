import { randomUUID } from 'node:crypto';
import { copyFile, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import pg from 'pg';
import { findFreePort } from '../../support/child-process.js';
import type { ObservationRecorder } from '../../support/invariants/observation-recorder.js';
import { startFaultProxy, type FaultProxy } from '../../support/fault-proxy.js';
import { Client } from '../../e2e/support/client.js';
import { createDataDir, removeDataDir } from '../../e2e/support/data-dir.js';
import { type Environment, runProgram } from '../../e2e/support/program.js';
import type { Account } from '../../e2e/support/running-service.js';
import { until } from '../../e2e/support/until.js';
import { JobRecords } from './job-records.js';
import { SupervisedProgram } from './supervised-program.js';
import { type Dependencies, type DependencyOptions, startDependencies } from './dependencies.js';

const HOST = '127.0.0.1';

/** Whether every dependency is up, including those that readiness tolerates. */
async function areDependenciesUp(baseUrl: string): Promise<boolean> {
  const { status } = (await (await fetch(`${baseUrl}/health/ready`)).json()) as { status: string };
  return status === 'ok';
}

/** Settings with which a crash is detected within seconds. */
export const FAST_DETECTION_SETTINGS: Environment = {
  LEASE_SECONDS: '3',
  SWEEP_SECONDS: '1',
  REDELIVER_SECONDS: '5',
  STORE_SCAN_SECONDS: '5',
  UNNEEDED_AUDIO_SECONDS: '10',
  IDEMPOTENCY_LEASE_SECONDS: '3',
  STREAM_HEARTBEAT_SECONDS: '1',
  SHUTDOWN_SECONDS: '20',
  OUTBOUND_ALLOW: HOST,
  RATE_LIMIT_FACTOR: '100',
};

export interface SystemOptions extends DependencyOptions {
  apis?: number;
  processors?: number;
  /** The folder of the version of the programs, default this one; operator commands are of this one. */
  root?: string;
  env?: Environment;
  /** Prepares the dependencies before the first program starts on them. */
  prepare?: (settings: Environment) => Promise<void>;
}

/** The real service: supervised programs of each kind, their dependencies, and one URL for callers. */
export class System {
  readonly apis: SupervisedProgram[] = [];
  readonly processors: SupervisedProgram[] = [];
  private readonly records: JobRecords;

  private constructor(
    readonly dataDir: string,
    readonly dependencies: Dependencies,
    /** The service's database, without the fault proxy. */
    readonly database: pg.Pool,
    /** Distributes the requests of callers over the API processes. */
    readonly apiProxy: FaultProxy,
    /** In the order of `apis`. */
    readonly apiPorts: readonly number[],
    private settings: Environment,
    private readonly root: string | undefined,
  ) {
    this.records = new JobRecords(database, dependencies.stored);
  }

  /** Resolves when all programs are ready. */
  static async start(request: SystemOptions): Promise<System> {
    const dataDir = await createDataDir();
    const dependencies = await startDependencies(request, dataDir);
    const database = new pg.Pool({ connectionString: dependencies.postgres.url, max: 4 });
    database.on('error', () => undefined);
    const ports = await Promise.all(Array.from({ length: request.apis ?? 2 }, findFreePort));
    const apiProxy = await startFaultProxy(...ports.map((port) => ({ host: HOST, port })));
    const env: Environment = {
      ...FAST_DETECTION_SETTINGS,
      ...dependencies.env,
      SERVICE_SECRET: randomUUID().repeat(2),
      ...request.env,
      DATA_DIR: dataDir,
      DEVELOPMENT_ACCOUNT: 'true',
      PUBLIC_URL: `http://${HOST}:${apiProxy.port}`,
    };
    const system = new System(dataDir, dependencies, database, apiProxy, ports, env, request.root);
    try {
      await request.prepare?.(env);
      for (const port of ports) system.apis.push(system.startSupervised('api', { PORT: String(port) }));
      for (let at = 0; at < (request.processors ?? 2); at += 1) system.addProcessor();
      await Promise.all(system.programs.map((program) => program.waitUntilReady()));
      await until('all dependencies are up', () => areDependenciesUp(system.baseUrl));
      return system;
    } catch (error) {
      await system.stop();
      throw error;
    }
  }

  get baseUrl(): string {
    return `http://${HOST}:${this.apiProxy.port}`;
  }

  get programs(): SupervisedProgram[] {
    return [...this.apis, ...this.processors];
  }

  /** Starts another processor without waiting until it is ready. */
  addProcessor(env: Environment = {}): SupervisedProgram {
    const program = this.startSupervised('processor', env);
    this.processors.push(program);
    return program;
  }

  /** @param apiKey that of the development account by default */
  async client(apiKey?: string): Promise<Client> {
    const key = apiKey ?? (await readFile(join(this.dataDir, 'dev-api-key'), 'utf8')).trim();
    return new Client(this.baseUrl, key);
  }

  async openAccount(credits: number): Promise<Account> {
    const args = ['accounts', 'create', 'an organisation', '--credits', String(credits), '--json'];
    return this.adminJson<Account>(...args);
  }

  /** Runs an operator command that must succeed. @returns its parsed JSON output */
  async adminJson<T>(...args: string[]): Promise<T> {
    const { code, stdout, stderr } = await runProgram('admin', args, this.env);
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout) as T;
  }

  /**
   * Restarts one program after the other with other settings, which apply to operator commands, too.
   * @param onRestarted is awaited after each restart
   */
  async rollingRestart(changes: Environment, onRestarted: () => Promise<void>): Promise<void> {
    this.settings = { ...this.settings, ...changes };
    for (const program of this.programs) {
      await program.stop();
      await program.restart(changes);
      await onRestarted();
    }
  }

  /** The settings of its programs, without the port. */
  get env(): Environment {
    return this.settings;
  }

  queryRows<T extends pg.QueryResultRow>(sql: string, ...params: unknown[]): Promise<T[]> {
    return this.records.queryRows<T>(sql, ...params);
  }

  readLog(): Promise<string> {
    return readFile(this.logFile, 'utf8');
  }

  /** @returns the seconds until every job had ended */
  waitUntilAllEnded(withinMs: number): Promise<number> {
    return this.records.waitUntilAllEnded(withinMs);
  }

  /** Polls until there are no violations, because sweeps and deliveries need time to end. */
  findInvariantViolations(observations?: ObservationRecorder): Promise<string[]> {
    return this.records.findInvariantViolations(observations);
  }

  async stop(): Promise<void> {
    try {
      await Promise.all(this.programs.map((program) => program.stop()));
    } finally {
      this.apiProxy.close();
      await this.database.end();
      await this.dependencies.remove();
      await saveLog(this.logFile);
      await removeDataDir(this.dataDir);
    }
  }

  private get logFile(): string {
    return join(this.dataDir, 'faults.log');
  }

  private startSupervised(app: 'api' | 'processor', env: Environment): SupervisedProgram {
    return SupervisedProgram.start(app, { ...this.env, ...env }, this.logFile, this.root);
  }
}

/** Copies the log to the folder `FAULTS_LOGS`, if set, before the data folder, in which it is, is deleted. */
export async function saveLog(logFile: string): Promise<void> {
  const folder = process.env['FAULTS_LOGS'];
  if (folder !== undefined) await copyFile(logFile, join(folder, `${basename(dirname(logFile))}.log`));
}
