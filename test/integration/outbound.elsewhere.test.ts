import { OutboundClient, OutboundGuard } from '@app/webhooks';
import type { buildConnector } from 'undici';
import { expect, it, vi } from 'vitest';
import { startReceiver, status } from './outbound.receiver.js';

/** Below the guard somebody dials loopback, whatever address was asked for: a defect, or a proxy nobody knows of. */
vi.mock('undici', async (original) => {
  const undici = await original<{ buildConnector: typeof buildConnector }>();
  return {
    ...undici,
    buildConnector: (options: buildConnector.BuildOptions): buildConnector.connector => {
      const connect = undici.buildConnector(options);
      return (asked, callback) => connect({ ...asked, hostname: '127.0.0.1' }, callback);
    },
  };
});

it('a connection that leads elsewhere than was checked is dropped', async () => {
  const receiver = await startReceiver(status(200));
  const client = new OutboundClient(new OutboundGuard({ allow: [] }));
  const url = `http://8.8.8.8:${receiver.port}/`;
  const request = { url, method: 'GET' as const, headers: {}, timeoutMs: 5_000, maxResponseBytes: 100 };
  await expect(client.request(request)).rejects.toMatchObject({ kind: 'refused' });
  expect(receiver.connections).toBe(1);
  expect(receiver.received).toEqual([]);
  await client.close();
  await receiver.close();
});
