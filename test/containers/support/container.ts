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

export interface ImageInspection {
  /** Bytes. */
  Size: number;
  Labels: Record<string, string>;
}

const toFlags = (env: Record<string, string>) =>
  Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);

/** A container of an image that the test built, in Podman. */
export class Container {
  private constructor(
    private readonly folder: string,
    readonly name: string,
  ) {}

  static async start(
    folder: string,
    name: string,
    { variant, env, command }: { variant: Variant; env: Record<string, string>; command: string[] },
  ): Promise<Container> {
    const container = new Container(folder, name);
    const detached = ['run', '--detach', '--name', name, '--volume', `${name}:/data`];
    await container.podman([
      ...[...detached, ...NESTED_FLAGS, ...OPERATOR_FLAGS, ...toFlags(env)],
      ...[`localhost/zephyr-test:${variant}`, ...command],
    ]);
    return container;
  }

  /** Runs a program instead of the service, to its end. */
  static runOnce(folder: string, variant: Variant, program: string, args: string[]): Promise<CommandResult> {
    const flags = ['run', '--rm', '--entrypoint', program, ...NESTED_FLAGS];
    return new Container(folder, 'none').tryPodman([...flags, `localhost/zephyr-test:${variant}`, ...args]);
  }

  /** Runs a program of the service to its end, as an operator would. @param mounts such as `/folder:/models:ro` */
  static runZephyr(
    folder: string,
    { variant, env = {}, mounts = [] }: { variant: Variant; env?: Record<string, string>; mounts?: string[] },
    ...args: string[]
  ): Promise<CommandResult> {
    const volumes = mounts.flatMap((mount) => ['--volume', mount]);
    const flags = ['run', '--rm', ...NESTED_FLAGS, ...OPERATOR_FLAGS, ...volumes, ...toFlags(env)];
    return new Container(folder, 'none').tryPodman([...flags, `localhost/zephyr-test:${variant}`, ...args]);
  }

  /** Runs an operator command in it. */
  zephyr(...args: string[]): Promise<CommandResult> {
    return this.zephyrWith({}, ...args);
  }

  /** Runs an operator command in it with further settings. */
  zephyrWith(env: Record<string, string>, ...args: string[]): Promise<CommandResult> {
    return this.tryPodman(['exec', ...toFlags(env), this.name, '/opt/zephyr/bin/zephyr', ...args]);
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

  static async inspectImage(folder: string, variant: Variant): Promise<ImageInspection> {
    const inspect = ['image', 'inspect', `localhost/zephyr-test:${variant}`];
    const { stdout } = await new Container(folder, 'none').podman(inspect);
    const [inspection] = JSON.parse(stdout) as ImageInspection[];
    if (inspection === undefined) throw new Error(`podman describes no image ${variant}`);
    return inspection;
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
