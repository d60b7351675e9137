import net from 'node:net';
import { OutboundClient, OutboundGuard } from '@app/outbound';
import { afterAll, expect, it, vi } from 'vitest';
import { startReceiver, status, until } from './outbound.receiver.js';

/** Redirects every connection to loopback after the check of the guard, like a defect or an unknown proxy. */
const originalConnect = net.connect.bind(net) as (options: net.NetConnectOpts) => net.Socket;
const connectSpy = vi
  .spyOn(net, 'connect')
  .mockImplementation(((options: net.TcpNetConnectOpts) =>
    originalConnect({ ...options, host: '127.0.0.1' })) as typeof net.connect);
afterAll(() => connectSpy.mockRestore());

it('a connection to another address than the checked one is closed before anything is sent', async () => {
  const receiver = await startReceiver(status(200));
  const client = new OutboundClient(new OutboundGuard({ allow: [] }));
  const url = `http://8.8.8.8:${receiver.port}/`;
  const request = { url, method: 'GET' as const, headers: {}, timeoutMs: 5_000, maxResponseBytes: 100 };
  await expect(client.request(request)).rejects.toMatchObject({ kind: 'blocked' });
  expect(connectSpy).toHaveBeenCalledWith(expect.objectContaining({ host: '8.8.8.8' }));
  // The server may notice the connection later than the client, so the test waits until the server has seen its end.
  await until(() => receiver.ended === 1);
  expect(receiver.connections).toBe(1);
  expect(receiver.received).toEqual([]);
  await client.close();
  await receiver.close();
});
