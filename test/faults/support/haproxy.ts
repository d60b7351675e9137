import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stopProcess, findFreePort, spawnBoundToParent } from '../../support/child-process.js';
import type { Endpoint } from '../../support/fault-proxy.js';
import { THIS_HOST, type TestHost } from '../../support/test-host.js';
import { until } from '../../e2e/support/until.js';

const GUIDE = fileURLToPath(new URL('../../../docs/operating/proxies.md', import.meta.url));

export interface HaProxyServer {
  /** `UP`, `DOWN`, or a transition between the two. */
  status: string;
  /** HTTP status of the newest health check. */
  checkCode: number;
}

/** HAProxy in front of several API processes, with the configuration of the operating guide. */
export class HaProxy {
  private constructor(
    readonly url: string,
    private readonly statsUrl: string,
    private readonly cleanUp: () => Promise<void>,
  ) {}

  /** In front of API processes of this machine. Resolves when it routes requests to every API. */
  static async start(apiPorts: readonly number[]): Promise<HaProxy> {
    const apis = apiPorts.map((port) => ({ host: THIS_HOST.address, port }));
    return HaProxy.startOn(THIS_HOST, await findFreePort(), apis);
  }

  /** Resolves when it routes requests to every API. */
  static async startOn(host: TestHost, port: number, apis: readonly Endpoint[]): Promise<HaProxy> {
    const statsPort = await findFreePort();
    const [url, statsUrl] = [port, statsPort].map((each) => `http://${host.address}:${each}`);
    const folder = await mkdtemp(join(tmpdir(), 'haproxy-'));
    const file = join(folder, 'haproxy.cfg');
    await writeFile(file, await buildConfiguration(host.address, { port, statsPort }, apis));
    const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/usr/local/sbin` };
    const child = spawnBoundToParent('haproxy', ['-db', '-f', file], { stdio: 'ignore', env }, host);
    const end = async () => {
      await stopProcess(child, 'SIGKILL');
      await rm(folder, { recursive: true, force: true });
    };
    const proxy = new HaProxy(`${url}`, `${statsUrl}/;csv`, end);
    try {
      await until('haproxy has every API in service', async () =>
        (await proxy.readServers()).every(({ status }) => status === 'UP'),
      );
      return proxy;
    } catch (error) {
      await end();
      throw error;
    }
  }

  /** The status of the API processes, in the order of their ports. */
  async readServers(): Promise<HaProxyServer[]> {
    const [header = '', ...lines] = (await (await fetch(this.statsUrl)).text()).trim().split('\n');
    const columns = header.replace(/^# /, '').split(',');
    return lines
      .map((line) => Object.fromEntries(line.split(',').map((cell, at) => [columns[at] ?? '', cell])))
      .filter(({ svname = '' }) => svname.startsWith('api'))
      .map(({ status = '', check_code: code }) => ({ status, checkCode: Number(code) }));
  }

  stop(): Promise<void> {
    return this.cleanUp();
  }
}

/** The example of the guide with other addresses and a statistics page. */
async function buildConfiguration(
  address: string,
  { port, statsPort }: { port: number; statsPort: number },
  apis: readonly Endpoint[],
): Promise<string> {
  const example = /```haproxy[^\n]*\n([\s\S]*?)```/.exec(await readFile(GUIDE, 'utf8'))?.[1];
  if (example === undefined) throw new Error('the operating guide has no haproxy example');
  const options = /^ +server \S+ \S+(.*)$/m.exec(example)?.[1] ?? '';
  const servers = apis
    .map((api, at) => `    server api${at + 1} ${api.host}:${api.port}${options}\n`)
    .join('');
  const adapted = example
    .replace(/^ +bind .*$/m, `    bind ${address}:${port}`)
    .replace(/(^ +server .*\n)+/m, servers);
  return `${adapted}\nfrontend statistics\n    bind ${address}:${statsPort}\n    stats enable\n    stats uri /\n`;
}
