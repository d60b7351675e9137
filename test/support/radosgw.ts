import { type ChildProcess, execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { stopProcess, findFreePort, spawnBoundToParent } from './child-process.js';
import { renderCephConfig, type CephPlan, monAddress } from './ceph-config.js';
import { THIS_HOST } from './test-host.js';

const run = promisify(execFile);
const READY_MS = 60_000;
/** A hanging command fails after this time. */
const COMMAND_TIMEOUT_MS = 40_000;

export class RadosgwNotInstalledError extends Error {
  override readonly name = 'RadosgwNotInstalledError';
  constructor() {
    super(
      'radosgw is not installed: `npm run test:s3` installs it (Debian: radosgw ceph-mon ceph-osd ceph-common)',
    );
  }
}

/** A private S3 store that holds its objects in memory and ends with the test process. */
export interface Radosgw {
  endpoint: string;
  region: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
  stop(): Promise<void>;
}

/** Takes about 15 seconds. @throws RadosgwNotInstalledError if the programs are not installed */
export async function startRadosgw(host = THIS_HOST): Promise<Radosgw> {
  await run('radosgw', ['--version']).catch(() => Promise.reject(new RadosgwNotInstalledError()));
  const folder = await mkdtemp(join(tmpdir(), 'zephyr-s3-'));
  const cluster = new Cluster({
    folder,
    fsid: randomUUID(),
    monPort: await findFreePort(),
    gatewayPort: await findFreePort(),
    host,
  });
  try {
    return await cluster.start();
  } catch (error) {
    const logs = await cluster.readLogTails();
    await cluster.stop();
    throw new Error(`radosgw did not start.\n${logs}`, { cause: error });
  }
}

class Cluster {
  private readonly children: ChildProcess[] = [];
  private readonly config: string;

  constructor(private readonly plan: CephPlan) {
    this.config = join(plan.folder, 'ceph.conf');
  }

  async start(): Promise<Radosgw> {
    await writeFile(this.config, renderCephConfig(this.plan));
    for (const name of ['mon', 'osd', 'rgw']) await mkdir(this.file(name));
    await this.startMonitor();
    await this.startStore();
    const credentials = await this.createUser();
    this.spawn('radosgw', ['-n', 'client.admin', '-f']);
    const endpoint = `http://${this.plan.host.address}:${this.plan.gatewayPort}`;
    await waitUntilReachable(endpoint);
    return { endpoint, region: 'us-east-1', credentials, stop: () => this.stop() };
  }

  private async startMonitor(): Promise<void> {
    const admin = this.file('client.admin.keyring');
    const monitor = this.file('mon.keyring');
    const map = this.file('monmap');
    const caps = ['mon', 'osd', 'mgr', 'mds'].flatMap((service) => ['--cap', service, 'allow *']);
    await this.runCommand('ceph-authtool', [
      '--create-keyring',
      admin,
      '--gen-key',
      '-n',
      'client.admin',
      ...caps,
    ]);
    await this.runCommand('ceph-authtool', [
      '--create-keyring',
      monitor,
      '--gen-key',
      '-n',
      'mon.',
      '--cap',
      'mon',
      'allow *',
    ]);
    await this.runCommand('ceph-authtool', [monitor, '--import-keyring', admin]);
    await this.runCommand('monmaptool', [
      '--create',
      '--addv',
      'a',
      monAddress(this.plan),
      '--fsid',
      this.plan.fsid,
      map,
    ]);
    await this.runCommand('ceph-mon', ['--mkfs', '-i', 'a', '--monmap', map, '--keyring', monitor]);
    this.spawn('ceph-mon', ['-i', 'a', '-f']);
  }

  private async startStore(): Promise<void> {
    const id = randomUUID();
    // This command waits until the monitor is ready.
    await this.runCommand('ceph', ['osd', 'new', id]);
    await this.runCommand('ceph-osd', ['-i', '0', '--no-mon-config', '--mkfs', '--mkkey', '--osd-uuid', id]);
    const caps = ['mon', 'allow profile osd', 'mgr', 'allow profile osd', 'osd', 'allow *'];
    await this.runCommand('ceph', ['auth', 'add', 'osd.0', ...caps, '-i', this.file('osd.0.keyring')]);
    this.spawn('ceph-osd', ['-i', '0', '-f']);
  }

  private async createUser(): Promise<Radosgw['credentials']> {
    const [accessKeyId, secretAccessKey] = ['ZEPHYRTESTACCESSKEY0', randomUUID()];
    const key = ['--access-key', accessKeyId, '--secret-key', secretAccessKey];
    await this.runCommand('radosgw-admin', [
      'user',
      'create',
      '--uid',
      'zephyr',
      '--display-name',
      'zephyr',
      ...key,
    ]);
    return { accessKeyId, secretAccessKey };
  }

  private file(name: string): string {
    return join(this.plan.folder, name);
  }

  private async runCommand(program: string, args: string[]): Promise<void> {
    const [command = program, ...rest] = [...this.plan.host.enter, program, '-c', this.config, ...args];
    await run(command, rest, { timeout: COMMAND_TIMEOUT_MS, killSignal: 'SIGKILL' });
  }

  private spawn(program: string, args: string[]): void {
    const parameters = ['-c', this.config, ...args];
    this.children.push(spawnBoundToParent(program, parameters, { stdio: 'ignore' }, this.plan.host));
  }

  /** The end of every log, for the error message of a failed start. */
  async readLogTails(): Promise<string> {
    const names = ['mon.a.log', 'osd.0.log', 'client.admin.log'];
    const logs = names.map(async (name) => {
      const text = await readFile(this.file(name), 'utf8').catch(() => '');
      return `--- ${name}\n${text.slice(-2_000)}`;
    });
    return (await Promise.all(logs)).join('\n');
  }

  async stop(): Promise<void> {
    await Promise.all(this.children.map((child) => stopProcess(child, 'SIGKILL')));
    await rm(this.plan.folder, { recursive: true, force: true });
  }
}

async function waitUntilReachable(endpoint: string): Promise<void> {
  const deadline = Date.now() + READY_MS;
  for (;;) {
    const isReachable = await fetch(endpoint).then(
      ({ status }) => status < 500,
      () => false,
    );
    if (isReachable) return;
    if (Date.now() > deadline) throw new Error(`No response from ${endpoint} within ${READY_MS} ms.`);
    await pause(100);
  }
}
