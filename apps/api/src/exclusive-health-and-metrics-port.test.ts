import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { BootContext } from '@app/runtime';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { ExclusiveHealthAndMetricsPort } from './exclusive-health-and-metrics-port.js';
import { createHttpAdapter } from './http-adapter.js';

const HOST = '127.0.0.1';

/** One that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

let close: () => Promise<void>;
afterEach(() => close());

async function listeners() {
  const [port, healthPort] = await Promise.all([freePort(), freePort()]);
  const adapter = createHttpAdapter({ logger: pino({ level: 'silent' }) } as BootContext);
  const fastify = adapter.getInstance();
  const health = new ExclusiveHealthAndMetricsPort(adapter, healthPort);
  for (const path of ['/health/live', '/health/ready', '/metrics', '/api/v1/jobs'])
    fastify.get(path, () => 'answered');
  await fastify.listen({ port, host: HOST });
  await health.listen({ host: HOST, hostSetting: 'HOST' });
  close = () => fastify.close();
  const status = async (targetPort: number, path: string) =>
    (await fetch(`http://${HOST}:${targetPort}${path}`)).status;
  return {
    onPublic: (path: string) => status(port, path),
    onHealth: (path: string) => status(healthPort, path),
    healthPort,
  };
}

describe('the server on HEALTH_PORT', () => {
  it.each(['/health/live', '/health/ready', '/metrics', '/%68ealth/ready?a=b'])(
    'answers %s, and the public port does not',
    async (path) => {
      const { onPublic, onHealth } = await listeners();
      expect([await onHealth(path), await onPublic(path)]).toEqual([200, 404]);
    },
  );

  it('answers 404 to every other route, which the public port serves', async () => {
    const { onPublic, onHealth } = await listeners();
    expect([await onHealth('/api/v1/jobs'), await onPublic('/api/v1/jobs')]).toEqual([404, 200]);
    expect([await onHealth('/nothing'), await onPublic('/nothing')]).toEqual([404, 404]);
  });

  it('names its setting if another program has the port', async () => {
    const { healthPort } = await listeners();
    await close();
    const other = createServer().listen(healthPort, HOST);
    await once(other, 'listening');
    close = async () => void other.close();
    const second = createHttpAdapter({ logger: pino({ level: 'silent' }) } as BootContext);
    const health = new ExclusiveHealthAndMetricsPort(second, healthPort);
    await expect(health.listen({ host: HOST, hostSetting: 'HOST' })).rejects.toThrow(
      `port ${healthPort} is taken by another program; set HEALTH_PORT to a free one.`,
    );
  });

  it('serves until the public port has closed', async () => {
    const { onHealth } = await listeners();
    await close();
    await expect(onHealth('/health/live')).rejects.toThrow();
  });
});
