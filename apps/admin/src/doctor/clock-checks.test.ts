import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkBucketClock } from './clock-checks.js';

let server: Server;
let endpoint: string;
let date: string | undefined;
beforeAll(async () => {
  server = createServer((_, answer) => {
    answer.sendDate = false;
    if (date !== undefined) answer.setHeader('date', date);
    answer.writeHead(403).end();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

/** The finding when this machine is this many seconds ahead of the bucket. */
function checkWithOffset(seconds: number) {
  const time = Date.UTC(2026, 0, 1);
  date = new Date(time).toUTCString();
  return checkBucketClock(endpoint, () => time + 500 + seconds * 1000);
}

describe('checkBucketClock', () => {
  it.each([0, 4, -4])('accepts an offset of %d seconds', async (seconds) => {
    expect(await checkWithOffset(seconds)).toMatchObject({ status: 'ok' });
  });

  it.each([
    [60, 'ahead of'],
    [-60, 'behind'],
  ])('warns about an offset of %d seconds', async (seconds, side) => {
    expect(await checkWithOffset(seconds)).toMatchObject({
      status: 'warning',
      detail: `this machine is 60 s ${side} ${endpoint}`,
      advice: expect.stringMatching(/chrony.*NTP/),
    });
  });

  it('reports a problem when the offset makes the bucket reject signed requests', async () => {
    expect(await checkWithOffset(3600)).toMatchObject({
      status: 'problem',
      detail: expect.stringContaining('RequestTimeTooSkewed'),
    });
  });

  it('reports no offset when the response was slow or has no Date header', async () => {
    const time = Date.UTC(2026, 0, 1);
    const times = [time - 20_000, time];
    date = new Date(time).toUTCString();
    expect(await checkBucketClock(endpoint, () => times.shift() ?? 0)).toMatchObject({ status: 'ok' });
    date = undefined;
    expect(await checkBucketClock(endpoint)).toMatchObject({
      status: 'ok',
      detail: `${endpoint} sends no time`,
    });
  });
});
