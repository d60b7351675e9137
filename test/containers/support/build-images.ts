import { execFile } from 'node:child_process';
import { chmod, copyFile, cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);
const BUILD_MS = 40 * 60_000;
/** What images of Debian leave out as well. */
const LEFT_OUT = ['man', 'locale', 'info', 'lintian', 'doc'];
const NODE_VERSION = 22;

/** Base images of Debian packages and the npm package of Node, because no registry of images is asked. */
const BASE_FILE = 'FROM scratch\nADD base.tar /\n';
const NODE_FILE = `FROM localhost/zephyr-test-base
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
COPY certificates.crt /etc/ssl/of-this-machine.crt
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/of-this-machine.crt
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \\
  && apt-get update -q && apt-get install -q -y --no-install-recommends binutils libatomic1
`;

export type Variant = 'full' | 'slim';

/** Where an engine keeps its images; removed with the folder of the test. */
export function storageFlags(folder: string): string[] {
  return ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run')];
}

async function runStep(command: string, args: string[], timeout = BUILD_MS): Promise<string> {
  const { stdout } = await run(command, args, { cwd: ROOT, timeout, maxBuffer: 512 * 2 ** 20 });
  return stdout;
}

/** Builds both base images, and deploy/Containerfile on them. @param folder a folder of the test */
export async function buildImages(folder: string, variants: readonly Variant[]): Promise<void> {
  const context = join(folder, 'base');
  await mkdir(context, { recursive: true });
  await buildBase(join(context, 'base.tar'));
  await addNode(context);
  await writeFile(join(context, 'base.Containerfile'), BASE_FILE);
  await writeFile(join(context, 'node.Containerfile'), NODE_FILE);
  for (const name of ['base', 'node'])
    await build(folder, `zephyr-test-${name}`, ['-f', join(context, `${name}.Containerfile`), context]);
  for (const variant of variants)
    await build(folder, `zephyr-test:${variant}`, [
      ...['--build-arg', `VARIANT=${variant}`],
      ...['--build-arg', 'BASE_IMAGE=localhost/zephyr-test-base'],
      ...['--build-arg', 'NODE_IMAGE=localhost/zephyr-test-node'],
      ...['-f', join(ROOT, 'deploy/Containerfile'), ROOT],
    ]);
}

async function build(folder: string, tag: string, args: string[]): Promise<void> {
  const flags = ['--isolation', 'chroot', '--network=host', '--format', 'docker', '--layers'];
  await runStep('buildah', [...storageFlags(folder), 'bud', ...flags, '-t', tag, ...args]);
}

async function buildBase(tar: string): Promise<void> {
  const excluded = LEFT_OUT.map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`);
  const kept = '--dpkgopt=path-include=/usr/share/doc/*/copyright';
  const clean = '--customize-hook=rm -rf "$1"/var/lib/apt/lists/* "$1"/var/cache/apt/*';
  const flags = ['--mode=root', '--variant=minbase', '--include=ca-certificates', ...excluded, kept, clean];
  await runStep('mmdebstrap', [...flags, 'bookworm', tar]);
}

async function addNode(context: string): Promise<void> {
  const name = `node-${process.platform}-${process.arch}`;
  const prefix = join(context, 'packages');
  const flags = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  await runStep('npm', ['install', '--prefix', prefix, ...flags, `${name}@${NODE_VERSION}`]);
  await copyFile(join(prefix, 'node_modules', name, 'bin', 'node'), join(context, 'node'));
  await chmod(join(context, 'node'), 0o755);
  await cp(await findNpm(), join(context, 'npm'), { recursive: true, dereference: true });
  await copyFile('/etc/ssl/certs/ca-certificates.crt', join(context, 'certificates.crt'));
}

/** The npm that runs this test. */
async function findNpm(): Promise<string> {
  const root = (await runStep('npm', ['root', '--global'])).trim();
  const candidates = [join(root, 'npm'), join(dirname(process.execPath), '../lib/node_modules/npm')];
  for (const candidate of candidates)
    if ((await readdir(candidate).catch((): string[] => [])).includes('package.json')) return candidate;
  throw new Error('npm was not found in its global folder');
}
