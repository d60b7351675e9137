import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import type { PageSamples } from '../../../scripts/guide/list-samples.mjs';
import { until } from '../../e2e/support/until.js';
import { DockerDaemon } from './docker-daemon.js';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PAGE = join(ROOT, 'docs', 'operating', 'containers.md');
const COMMAND_MS = 400_000;
const READY_MS = 240_000;
const PROBE_MS = 5_000;

/** Of Debian packages, instead of those of public registries. */
const IMAGES = ['postgres', 'redis', 'haproxy', 'objects', 'prometheus', 'grafana']
  .map((name) => `${name.toUpperCase()}_IMAGE=zephyr-test-${name}\n`)
  .join('');
/** Debian has Compose 1.29, which is a program of its own, and wants to be told that there is no terminal and no input. */
const DOCKER = `#!/bin/bash
if [ "$1" != compose ]; then exec /usr/bin/docker "$@"; fi
shift
parameters=()
for each in "$@"; do
  parameters+=("$each")
  if [ "$each" = exec ]; then parameters+=(-T); fi
done
exec docker-compose "\${parameters[@]}" < /dev/null
`;

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** The proxy of Docker takes connections to a port before a program listens, and some of these are never answered. */
export async function isServing(baseUrl: string): Promise<boolean> {
  const { status } = await fetch(`${baseUrl}/api/v1/account`, { signal: AbortSignal.timeout(PROBE_MS) });
  // There is no key in the request; a proxy without an API answers 503.
  return status === 401;
}

/** Follows docs/operating/containers.md in a copy of `deploy`. */
export class Operator {
  private readonly followed = new Set<string>();
  readonly daemon = new DockerDaemon(inject('daemonFolder'));

  private constructor(
    private readonly folder: string,
    private readonly page: string,
  ) {}

  static async start(): Promise<Operator> {
    const folder = await mkdtemp(join(tmpdir(), 'zephyr-operator-'));
    await cp(join(ROOT, 'deploy'), join(folder, 'deploy'), { recursive: true });
    await mkdir(join(folder, 'bin'));
    await writeFile(join(folder, 'bin', 'docker'), DOCKER);
    await chmod(join(folder, 'bin', 'docker'), 0o755);
    return new Operator(folder, await readFile(PAGE, 'utf8'));
  }

  get composeFolder(): string {
    return join(this.folder, 'deploy', 'compose');
  }

  /** Runs a command as the page has it. @throws Error if the page does not have it, or if it fails */
  async follow(command: string): Promise<string> {
    if (!this.page.includes(`\n${command}\n`) && !this.page.includes(`\n${command} `))
      throw new Error(`${PAGE} does not have the command: ${command}`);
    this.followed.add(command);
    return this.run(command);
  }

  /** @param pages with the code of this test @returns their commands that were not followed */
  listCommandsNotFollowed(pages: readonly PageSamples[]): string[] {
    const blocks = pages.flatMap(({ samples }) => samples).filter(({ run: test }) => test !== undefined);
    const commands = blocks.flatMap(({ code }) => code.trim().split('\n'));
    return commands.filter((command) => !this.followed.has(command));
  }

  /** @throws Error with the output if the command fails */
  async run(command: string): Promise<string> {
    const { code, stdout, stderr } = await this.try(command);
    if (code !== 0) throw new Error(`${command} ended with ${code}: ${stdout}${stderr}`);
    return stdout;
  }

  try(command: string): Promise<CommandResult> {
    const { PATH = '', ...environment } = this.daemon.environment;
    const options = {
      cwd: this.composeFolder,
      env: { ...environment, PATH: `${join(this.folder, 'bin')}:${PATH}`, COMPOSE_PROJECT_NAME: 'zephyr' },
      timeout: COMMAND_MS,
      maxBuffer: 64 * 2 ** 20,
    };
    return run('sh', ['-c', command], options).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error: unknown) => {
        const { code, stdout, stderr } = error as CommandResult;
        return { code: Number(code) || 1, stdout, stderr };
      },
    );
  }

  /** Makes a new `.env` as the page says, with the images of the test. */
  async configure(): Promise<void> {
    await rm(join(this.composeFolder, '.env'), { force: true });
    await this.follow('[ -e .env ] || install -m 600 .env.example .env');
    const [loop = ''] = /^for name in [\s\S]*?^done$/m.exec(this.page) ?? [];
    await this.follow(loop);
    await this.addSettings(IMAGES);
  }

  /** @param lines later ones win */
  async addSettings(lines: string): Promise<void> {
    const file = join(this.composeFolder, '.env');
    await writeFile(file, `${await readFile(file, 'utf8')}\n${lines}`);
  }

  /** @param files `-f` and names @param service whose container it is, running or not */
  async container(files: string, service: string): Promise<string> {
    return (await this.run(`docker compose ${files} ps -q ${service}`)).trim();
  }

  /** What the programs of a service have logged. */
  async log(files: string, service: string): Promise<string> {
    const { stdout, stderr } = await this.try(`docker compose ${files} logs --no-color ${service}`);
    return stdout + stderr;
  }

  /** Waits until an API answers, if need be through the proxy. */
  async waitUntilServing(files: string, services: string[]): Promise<void> {
    const check = () => isServing('http://127.0.0.1:3000');
    await until('an API answers', check, READY_MS).catch(async (cause: unknown) => {
      const logs = await Promise.all(services.map((service) => this.log(files, service)));
      throw new Error(logs.map((log) => log.slice(-4_000)).join('\n'), { cause });
    });
  }

  /** Removes containers, networks and volumes. */
  async remove(files: string): Promise<void> {
    await this.try(`docker compose ${files} down --volumes --timeout 30`);
    await rm(this.folder, { recursive: true, force: true });
  }
}
