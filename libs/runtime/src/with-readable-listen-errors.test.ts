import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { withReadableListenErrors } from './with-readable-listen-errors.js';

async function listen(port: number, host: string): Promise<AddressInfo> {
  const server = createServer();
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  server.close();
  return address;
}

const listenAs = (port: number, host: string) =>
  withReadableListenErrors({ port, portSetting: 'PROCESSOR_PORT', host, hostSetting: 'HEALTH_HOST' }, () =>
    listen(port, host),
  );

describe('withReadableListenErrors', () => {
  it('names the setting of a port that another program has', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    await expect(listenAs(port, '127.0.0.1')).rejects.toThrow(
      `port ${port} is taken by another program; set PROCESSOR_PORT to a free one.`,
    );
    taken.close();
  });

  it.each(['192.0.2.1', 'name.invalid'])('names the setting of the host %s', async (host) => {
    await expect(listenAs(0, host)).rejects.toThrow(
      `${host} is no address of this machine; set HEALTH_HOST to one, such as 127.0.0.1 or 0.0.0.0.`,
    );
  });

  it('names the setting of a port that needs more rights', async () => {
    const error = Object.assign(new Error('listen EACCES'), { code: 'EACCES', syscall: 'listen' });
    const settings = { port: 80, portSetting: 'PORT', host: '127.0.0.1', hostSetting: 'HOST' };
    await expect(withReadableListenErrors(settings, () => Promise.reject(error))).rejects.toThrow(
      'port 80 is not permitted for this user; set PORT to one from 1024 on.',
    );
  });

  it('leaves other errors, and the result, as they are', async () => {
    const error = Object.assign(new Error('getaddrinfo ENOTFOUND redis'), {
      ...{ code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'redis' },
    });
    const settings = { port: 3000, portSetting: 'PORT', host: '127.0.0.1', hostSetting: 'HOST' };
    await expect(withReadableListenErrors(settings, () => Promise.reject(error))).rejects.toBe(error);
    expect(await listenAs(0, '127.0.0.1')).toMatchObject({ address: '127.0.0.1' });
  });
});
