import type { ChildProcess } from 'node:child_process';
import { connect } from 'node:net';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stopProcess, findFreePort, spawnBoundToParent } from '../../support/child-process.js';
import { until } from './until.js';

const DEPLOY = fileURLToPath(new URL('../../../deploy', import.meta.url));

/** A running proxy with the configuration of `deploy/`, in which the addresses are replaced. */
export interface Proxy {
  baseUrl: string;
  stop(): Promise<void>;
}

/** @param idleTimeout replaces that of the shipped file */
type StartProxy = (
  apiPorts: readonly [number, number],
  folder: string,
  idleTimeout?: string,
) => Promise<Proxy>;

const SHIPPED_IDLE_TIMEOUT = '120s';

/** Keys are the names of the programs. */
export const PROXIES: Record<string, StartProxy> = {
  haproxy: async (...target) => {
    const { port, file } = await writeConfiguration('haproxy/haproxy.cfg', ...target);
    return startProxyProgram('haproxy', ['-db', '-f', file], port);
  },
  nginx: async (...target) => {
    const { port, file } = await writeConfiguration('nginx/zephyr.conf', ...target);
    const folder = dirname(file);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${join(folder, name)};`,
    );
    // The part of the main configuration file that the distribution provides.
    const main = join(folder, 'nginx.conf');
    await writeFile(
      main,
      `${process.getuid?.() === 0 ? 'user root;' : ''} pid ${join(folder, 'nginx.pid')}; error_log stderr;
       events {} http { access_log off; ${temporary.join(' ')} include ${file}; }`,
    );
    return startProxyProgram('nginx', ['-p', folder, '-c', main, '-g', 'daemon off;'], port);
  },
};

async function writeConfiguration(
  path: string,
  ...[[first, second], folder, idleTimeout = SHIPPED_IDLE_TIMEOUT]: Parameters<StartProxy>
) {
  const port = await findFreePort();
  const shipped = await readFile(join(DEPLOY, path), 'utf8');
  const replacements = {
    '127.0.0.1:8080': `127.0.0.1:${port}`,
    '127.0.0.1:3001': `127.0.0.1:${first}`,
    '127.0.0.1:3002': `127.0.0.1:${second}`,
    [SHIPPED_IDLE_TIMEOUT]: idleTimeout,
  };
  let text = shipped;
  for (const [shippedText, replacement] of Object.entries(replacements)) {
    if (!text.includes(shippedText)) throw new Error(`${path} does not contain ${shippedText}`);
    text = text.replaceAll(shippedText, replacement);
  }
  const file = join(folder, path.replace('/', '-'));
  await writeFile(file, text);
  return { port, file };
}

async function startProxyProgram(program: string, args: string[], port: number): Promise<Proxy> {
  const path = `${process.env['PATH'] ?? ''}:/usr/sbin`;
  const child: ChildProcess = spawnBoundToParent(program, args, {
    env: { PATH: path },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await until(`${program} listens`, () => canConnect(port));
  return { baseUrl: `http://127.0.0.1:${port}`, stop: () => stopProcess(child, 'SIGTERM') };
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    }).once('error', () => resolve(false));
  });
}
