import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { storageFlags } from '../../../scripts/lib/images/buildah.mjs';

const run = promisify(execFile);
const COMMAND_MS = 180_000;
const PROFILE = fileURLToPath(new URL('../../../deploy/containers/seccomp.json', import.meta.url));

/** As an operator would run it: not root, nothing writable but the volume, no privileges, the profile that is shipped. */
const OPERATOR_FLAGS = [
  '--read-only',
  ...['--tmpfs', '/tmp'],
  '--cap-drop=ALL',
  '--security-opt=no-new-privileges',
  `--security-opt=seccomp=${PROFILE}`,
];
/** What this engine needs inside another container, where limits and control groups are not its own. */
const NESTED_FLAGS = ['--ulimit', 'nofile=20000:20000', '--ulimit', 'nproc=10000:10000', '--network=host'];

export type Variant = 'full' | 'slim' | 'cuda';

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** A container of an image that the test built, in Podman. */
export class Container {
  private constructor(
    private readonly folder: string,
    readonly name: string,
  ) {}

  static async start(
    folder: string,
    name: string,
    options: { variant: Variant; env: Record<string, string>; command: string[]; flags?: string[] },
  ): Promise<Container> {
    const { variant, env, command, flags = OPERATOR_FLAGS } = options;
    const settings = Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
    const container = new Container(folder, name);
    const detached = ['run', '--detach', '--name', name, '--volume', `${name}:/data`];
    await container.podman([
      ...[...detached, ...NESTED_FLAGS, ...flags, ...settings],
      ...[`localhost/zephyr-test:${variant}`, ...command],
    ]);
    return container;
  }

  /** Runs a program instead of the service, to its end. */
  static runOnce(folder: string, variant: Variant, program: string, args: string[]): Promise<CommandResult> {
    const flags = ['run', '--rm', '--entrypoint', program, ...NESTED_FLAGS];
    return new Container(folder, 'none').tryPodman([...flags, `localhost/zephyr-test:${variant}`, ...args]);
  }

  /** Runs an operator command in it. */
  zephyr(...args: string[]): Promise<CommandResult> {
    return this.tryPodman(['exec', this.name, '/opt/zephyr/bin/zephyr', ...args]);
  }

  exec(...args: string[]): Promise<CommandResult> {
    return this.tryPodman(['exec', this.name, ...args]);
  }

  async isHealthy(): Promise<boolean> {
    return (await this.tryPodman(['healthcheck', 'run', this.name])).code === 0;
  }

  async log(): Promise<string> {
    const { stdout, stderr } = await this.tryPodman(['logs', this.name]);
    return stdout + stderr;
  }

  async remove(): Promise<void> {
    await this.tryPodman(['rm', '--force', '--volumes', '--time', '30', this.name]);
  }

  /** @returns bytes */
  static async imageSize(folder: string, variant: Variant): Promise<number> {
    const container = new Container(folder, 'none');
    const { stdout } = await container.podman([
      ...['image', 'inspect', '--format', '{{.Size}}', `localhost/zephyr-test:${variant}`],
    ]);
    return Number(stdout);
  }

  private async podman(args: string[]): Promise<CommandResult> {
    const result = await this.tryPodman(args);
    if (result.code !== 0) throw new Error(`podman ${args[0]} ended with ${result.code}: ${result.stderr}`);
    return result;
  }

  private async tryPodman(args: string[]): Promise<CommandResult> {
    const flags = [...storageFlags(this.folder), '--cgroup-manager=cgroupfs', '--runtime=/usr/sbin/runc'];
    const home = join(this.folder, 'home');
    await mkdir(home, { recursive: true });
    const config = join(home, 'containers.conf');
    await writeFile(config, '[engine]\nevents_logger = "file"\n[containers]\nlog_driver = "k8s-file"\n');
    const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: home, CONTAINERS_CONF: config };
    return run('podman', [...flags, ...args], { env, timeout: COMMAND_MS, maxBuffer: 64 * 2 ** 20 }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error: unknown) => {
        const { code, stdout, stderr } = error as CommandResult;
        return { code: Number(code) || 1, stdout, stderr };
      },
    );
  }
}
