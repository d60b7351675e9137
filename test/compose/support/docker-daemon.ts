import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { storageFlags } from '../../../scripts/lib/images/buildah.mjs';
import { until } from '../../e2e/support/until.js';

const run = promisify(execFile);
const READY_MS = 60_000;
const STOP_MS = 120_000;
const COMMAND_MS = 300_000;
/** Of Debian, also where a newer client is installed. */
const PATH = '/usr/sbin:/usr/bin:/sbin:/bin';

/** A Docker daemon with files and a socket of its own, in the network namespace of this suite. */
export class DockerDaemon {
  constructor(readonly folder: string) {}

  /** For programs that talk to it. */
  get environment(): Record<string, string> {
    return { PATH, HOME: this.folder, DOCKER_HOST: `unix://${join(this.folder, 'docker.sock')}` };
  }

  /** Resolves when it answers. Its containers start again if their restart policy says so. */
  async start(): Promise<void> {
    const log = await open(join(this.folder, 'dockerd.log'), 'a');
    const folders = ['--data-root', join(this.folder, 'data'), '--exec-root', join(this.folder, 'exec')];
    const files = ['--pidfile', this.pidFile, '--host', `unix://${join(this.folder, 'docker.sock')}`];
    // Nothing outside of the namespace can be reached anyway.
    const network = ['--iptables=false', '--ip6tables=false'];
    spawn('dockerd', [...folders, ...files, ...network], {
      env: this.environment,
      stdio: ['ignore', log.fd, log.fd],
      // It outlives this process, which may be a worker of vitest.
      detached: true,
    }).unref();
    await log.close();
    await until(
      'the Docker daemon answers',
      async () => (await this.docker('version')) !== '',
      READY_MS,
    ).catch(async (cause: unknown) => {
      throw new Error(await this.readLog(), { cause });
    });
  }

  /** Ends the daemon, which stops its containers, as a shutdown of its machine does. */
  async stop(): Promise<void> {
    const pid = Number(await readFile(this.pidFile, 'utf8'));
    process.kill(pid, 'SIGTERM');
    await until('the Docker daemon has removed its file', () => !existsSync(this.pidFile), STOP_MS);
  }

  /** @returns what the command prints. @throws Error with what it prints as an error */
  async docker(...parameters: string[]): Promise<string> {
    const options = { env: this.environment, timeout: COMMAND_MS, maxBuffer: 64 * 2 ** 20 };
    return (await run('docker', parameters, options)).stdout;
  }

  /** Takes an image that buildah has built. @param images the folder of buildah */
  async load(images: string, tag: string, name: string): Promise<void> {
    const archive = join(this.folder, 'image.tar');
    const push = [...storageFlags(images), 'push', `localhost/${tag}`, `docker-archive:${archive}:${name}`];
    await run('buildah', push, { timeout: COMMAND_MS, maxBuffer: 64 * 2 ** 20 });
    await this.docker('load', '--input', archive);
    await rm(archive);
  }

  private get pidFile(): string {
    return join(this.folder, 'docker.pid');
  }

  private async readLog(): Promise<string> {
    return (await readFile(join(this.folder, 'dockerd.log'), 'utf8')).slice(-4_000);
  }
}
