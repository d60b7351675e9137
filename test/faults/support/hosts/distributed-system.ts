import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '../../../e2e/support/client.js';
import { createDataDir, removeDataDir } from '../../../e2e/support/data-dir.js';
import { type Environment, runProgram } from '../../../e2e/support/program.js';
import type { Account } from '../../../e2e/support/running-service.js';
import { HaProxy } from '../haproxy.js';
import { SupervisedProgram } from '../supervised-program.js';
import { FAST_DETECTION_SETTINGS, saveLog } from '../system.js';
import { JobRecords } from '../job-records.js';
import {
  type HostedDependencies,
  type HostedDependencyOptions,
  startHostedDependencies,
} from './hosted-dependencies.js';
import type { HostNetwork } from './host-network.js';
import type { NetworkHost } from './network-host.js';

const API_PORT = 3000;
const PROCESSOR_PORT = 3200;
const PROXY_PORT = 8080;
const CREDITS = '1000000';

/** A program of the service on a host of its own. */
export interface HostedProgram {
  host: NetworkHost;
  program: SupervisedProgram;
}

interface DistributedOptions extends HostedDependencyOptions {
  env?: Environment;
}

/** The real service on several hosts: two APIs behind HAProxy, two processors, and a host for each dependency. */
export class DistributedSystem {
  readonly apis: HostedProgram[] = [];
  readonly processors: HostedProgram[] = [];

  private constructor(
    readonly network: HostNetwork,
    readonly dependencies: HostedDependencies,
    readonly records: JobRecords,
    private readonly proxyHost: NetworkHost,
    private readonly dataDir: string,
    private readonly env: Environment,
  ) {}

  private proxy: HaProxy | undefined;

  /** Resolves when all programs are ready. */
  static async start(
    network: HostNetwork,
    { env, ...options }: DistributedOptions,
  ): Promise<DistributedSystem> {
    const dataDir = await createDataDir();
    const dependencies = await startHostedDependencies(network, options, dataDir);
    const proxyHost = await network.addHost('proxy');
    const system = new DistributedSystem(
      network,
      dependencies,
      new JobRecords(dependencies.database, dependencies.stored),
      proxyHost,
      dataDir,
      {
        ...FAST_DETECTION_SETTINGS,
        ...dependencies.env,
        SERVICE_SECRET: randomUUID().repeat(2),
        OUTBOUND_ALLOW: network.callerAddress,
        PUBLIC_URL: `http://${proxyHost.address}:${PROXY_PORT}`,
        ...env,
      },
    );
    try {
      for (const name of ['api1', 'api2']) system.apis.push(await system.startProgram('api', name));
      for (const name of ['processor1', 'processor2'])
        system.processors.push(await system.startProgram('processor', name));
      await Promise.all(system.programs.map(({ program }) => program.waitUntilReady()));
      const apis = system.apis.map(({ host }) => ({ host: host.address, port: API_PORT }));
      system.proxy = await HaProxy.startOn(proxyHost, PROXY_PORT, apis);
      return system;
    } catch (error) {
      await system.stop();
      throw error;
    }
  }

  get baseUrl(): string {
    return `http://${this.proxyHost.address}:${PROXY_PORT}`;
  }

  /** A client of a new account. */
  async openAccount(): Promise<Client> {
    const args = ['accounts', 'create', 'an organisation', '--credits', CREDITS, '--json'];
    const { code, stdout, stderr } = await runProgram('admin', args, this.commandEnv);
    if (code !== 0) throw new Error(`no account was created: ${stderr}`);
    return new Client(this.baseUrl, (JSON.parse(stdout) as Account).api_key);
  }

  /** Takes a host off the network, then kills its program, so that nobody is told. */
  async loseHost({ host, program }: HostedProgram): Promise<void> {
    await this.network.disconnect(host);
    await program.killUntilRestart();
  }

  /** The address of the probes and metrics of a program. */
  monitoringUrl({ host }: HostedProgram): string {
    const isApi = this.apis.some((api) => api.host === host);
    return `http://${host.address}:${isApi ? API_PORT : PROCESSOR_PORT}`;
  }

  /** Ends the programs and removes the network. */
  async stop(): Promise<void> {
    try {
      await this.network.restore();
      await Promise.all(this.programs.map(({ program }) => program.stop()));
    } finally {
      await this.proxy?.stop();
      await this.dependencies.remove();
      await this.network.remove();
      await saveLog(this.logFile);
      await removeDataDir(this.dataDir);
    }
  }

  private get programs(): HostedProgram[] {
    return [...this.apis, ...this.processors];
  }

  private get commandEnv(): Environment {
    return { DATA_DIR: this.dataDir, ...this.env };
  }

  private get logFile(): string {
    return join(this.dataDir, 'faults.log');
  }

  private async startProgram(app: 'api' | 'processor', name: string): Promise<HostedProgram> {
    const host = await this.network.addHost(name);
    const ownDataDir = join(this.dataDir, name);
    await mkdir(ownDataDir);
    const env = {
      DATA_DIR: ownDataDir,
      HOST: host.address,
      ...(app === 'api' ? { PORT: String(API_PORT) } : { PROCESSOR_PORT: String(PROCESSOR_PORT) }),
      ...this.env,
    };
    return { host, program: SupervisedProgram.start(app, env, this.logFile, undefined, host) };
  }
}
