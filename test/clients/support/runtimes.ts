import { execFile } from 'node:child_process';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CACHE = fileURLToPath(new URL('../../../.cache/runtimes', import.meta.url));
const INSTALL_MS = 150_000;

export interface Runtime {
  name: string;
  /** An npm package that consists of the program; none for the Node of the tests. */
  package?: string;
  program?: string;
  /** Before the path of a script. */
  parameters: string[];
}

const { platform, arch } = process;

export const RUNTIMES: Runtime[] = [
  { name: 'the Node of the tests', parameters: [] },
  { name: 'Node 22', package: `node-${platform}-${arch}@22`, program: 'bin/node', parameters: [] },
  { name: 'Node 24', package: `node-${platform}-${arch}@24`, program: 'bin/node', parameters: [] },
  { name: 'Bun', package: `@oven/bun-${platform}-${arch}`, program: 'bin/bun', parameters: ['run'] },
  {
    name: 'Deno',
    package: `@deno/${platform}-${arch}-glibc`,
    program: 'deno',
    parameters: ['run', '--quiet', '--no-prompt', '--allow-net', '--allow-read', '--allow-write'],
  },
];

/** @returns the path of the runtime, or the reason why there is none */
export async function installRuntime(runtime: Runtime): Promise<{ path: string } | { reason: string }> {
  if (runtime.package === undefined || runtime.program === undefined) return { path: process.execPath };
  const folder = join(CACHE, runtime.name.replace(' ', '-').toLowerCase());
  const path = join(folder, 'node_modules', runtime.package.replace(/(?<=.)@.*$/, ''), runtime.program);
  if (await works(path)) return { path };
  const parameters = [
    'install',
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  try {
    await mkdir(folder, { recursive: true });
    await run('npm', [...parameters, '--prefix', folder, runtime.package], { timeout: INSTALL_MS });
    await chmod(path, 0o755);
    return (await works(path)) ? { path } : { reason: `${runtime.name} does not start.` };
  } catch (error) {
    return { reason: `${runtime.name} cannot be installed: ${(error as Error).message.slice(0, 300)}` };
  }
}

async function works(path: string): Promise<boolean> {
  return run(path, ['--version'], { timeout: 20_000 }).then(
    () => true,
    () => false,
  );
}
