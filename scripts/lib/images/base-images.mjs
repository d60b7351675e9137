import { chmod, copyFile, cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from './buildah.mjs';
import { runConcurrently } from './run-concurrently.mjs';
import { runStep } from './run-step.mjs';

/** What images of Debian leave out as well. */
const LEFT_OUT = ['man', 'locale', 'info', 'lintian', 'doc'];
const NODE_VERSION = 22;

const BASE_FILE = 'FROM scratch\nADD base.tar /\n';
const NODE_FILE = `FROM localhost/zephyr-test-base
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
COPY certificates.crt /etc/ssl/of-this-machine.crt
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/of-this-machine.crt
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \\
  && apt-get update -q && apt-get install -q -y --no-install-recommends binutils libatomic1
`;

/**
 * Base images of Debian packages and of the npm package of Node, because no registry of images is asked.
 *
 * @param {string} folder of the images
 */
export async function buildBaseImages(folder) {
  const context = join(folder, 'base');
  await mkdir(context, { recursive: true });
  await runConcurrently([() => makeBase(join(context, 'base.tar')), () => addNode(context)]);
  await writeFile(join(context, 'base.Containerfile'), BASE_FILE);
  await writeFile(join(context, 'node.Containerfile'), NODE_FILE);
  for (const name of ['base', 'node'])
    await build(folder, `zephyr-test-${name}`, ['-f', join(context, `${name}.Containerfile`), context]);
}

/** @param {string} tar */
async function makeBase(tar) {
  const excluded = LEFT_OUT.map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`);
  const kept = '--dpkgopt=path-include=/usr/share/doc/*/copyright';
  const clean = '--customize-hook=rm -rf "$1"/var/lib/apt/lists/* "$1"/var/cache/apt/*';
  const flags = ['--mode=root', '--variant=minbase', '--include=ca-certificates', ...excluded, kept, clean];
  await runStep('mmdebstrap', [...flags, 'bookworm', tar]);
}

/** @param {string} context */
async function addNode(context) {
  const name = `node-${process.platform}-${process.arch}`;
  const prefix = join(context, 'packages');
  const flags = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  await runStep('npm', ['install', '--prefix', prefix, ...flags, `${name}@${NODE_VERSION}`]);
  await copyFile(join(prefix, 'node_modules', name, 'bin', 'node'), join(context, 'node'));
  await chmod(join(context, 'node'), 0o755);
  await cp(await findNpm(), join(context, 'npm'), { recursive: true, dereference: true });
  await copyFile('/etc/ssl/certs/ca-certificates.crt', join(context, 'certificates.crt'));
}

/** The npm that runs this script. @returns {Promise<string>} */
async function findNpm() {
  const root = (await runStep('npm', ['root', '--global'])).trim();
  const candidates = [join(root, 'npm'), join(dirname(process.execPath), '../lib/node_modules/npm')];
  for (const candidate of candidates)
    if ((await readdir(candidate).catch(() => [])).includes('package.json')) return candidate;
  throw new Error('npm was not found in its global folder');
}
