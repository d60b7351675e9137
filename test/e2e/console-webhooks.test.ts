import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from './support/client.js';
import type { ConsoleClient } from './support/console-client.js';
import { ConsoleUsers } from './support/console-users.js';
import type { RunningService } from './support/running-service.js';
import { useSharedService } from './support/shared-service.js';
import { until } from './support/until.js';
import { type Reply, WebhookReceiver } from './support/webhook-receiver.js';

const SCRIPT = '<script>alert(1)</script>';

interface Endpoint {
  id: string;
  url: string;
  description: string;
  enabled: boolean;
  created_by: { email: string } | null;
}

interface Delivery {
  id: string;
  job_id: string | null;
  endpoint_id: string | null;
  status: string;
  replayable: boolean;
  attempts: number;
  status_code: number | null;
}

interface DeliveryDetail extends Delivery {
  attempt_list: {
    status_code: number | null;
    request: { headers: Record<string, string>; body: string } | null;
    answer: { body: string; truncated: boolean } | null;
  }[];
}

let service: RunningService;
let receiver: WebhookReceiver;
let accountId: string;
let caller: Client;
let owner: ConsoleClient;
let member: ConsoleClient;
let viewer: ConsoleClient;
let stranger: ConsoleClient;
let paths = 0;

beforeAll(async () => {
  service = await useSharedService();
  receiver = await WebhookReceiver.start();
  const account = await service.openAccount(1000);
  accountId = account.account_id;
  caller = await service.client(account.api_key);
  const users = new ConsoleUsers(service, accountId);
  owner = await users.createWithPassword('owner@webhooks.example.org');
  member = await users.createWithPassword('member@webhooks.example.org', 'member');
  viewer = await users.createWithPassword('viewer@webhooks.example.org', 'viewer');
  const other = new ConsoleUsers(service, (await service.openAccount(0)).account_id);
  stranger = await other.createWithPassword('stranger@webhooks.example.org');
});

afterAll(async () => {
  await receiver?.close();
});

const settings = (url: string, more = {}) => ({
  ...{ url, description: '', events: ['completed', 'failed'], enabled: true },
  ...more,
});

/** At a path of its own. */
async function createEndpoint(replies: Reply[], more = {}) {
  paths += 1;
  const path = `/hook-${paths}`;
  const body = settings(receiver.reply(path, ...replies), more);
  const created = await member.request<{ id: string }>('POST', 'webhook-endpoints', body);
  expect(created.status).toBe(200);
  return { id: created.body.id, path, url: body.url };
}

async function endJob(callback_url?: string): Promise<string> {
  const { job_id } = await caller.create({
    file_size: 1,
    ...(callback_url !== undefined && { callback_url }),
  });
  await caller.post('/jobs/cancel', { job_id });
  return job_id;
}

const listDeliveries = async (query: string, browser = viewer) =>
  (
    await browser.request<{ deliveries: Delivery[]; next_cursor: string | null }>(
      'GET',
      `deliveries?${query}`,
    )
  ).body;

async function readDelivery(id: string, browser = member): Promise<DeliveryDetail> {
  return (await browser.request<DeliveryDetail>('GET', `deliveries/${id}`)).body;
}

async function sendTest(endpointId: string): Promise<DeliveryDetail> {
  const { body } = await member.request<{ delivery_id: string }>(
    'POST',
    `webhook-endpoints/${endpointId}/test`,
  );
  return until('the test event was sent', async () => {
    const delivery = await readDelivery(body.delivery_id);
    return delivery.status === 'pending' ? undefined : delivery;
  });
}

describe('webhook endpoints in the console', () => {
  it('§6.2 an endpoint gets the webhooks of the account beside callback_url, each signed, each event once', async () => {
    const endpoint = await createEndpoint([200], { description: SCRIPT });
    const job = await endJob(receiver.reply('/callback', 200));
    const same = await endJob(endpoint.url);
    await until('all have arrived', async () => receiver.requestsTo(endpoint.path).length === 2);
    await until('the callback has arrived', async () => receiver.requestsTo('/callback').length === 1);
    const reveal = await member.request<{ secret: string }>('POST', 'signing-secret/reveal');
    const { secret } = reveal.body;
    for (const { body, headers } of receiver.received)
      expect(headers['x-svc-signature']).toBe(
        `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      );
    expect((await listDeliveries(`job_id=${job}`)).deliveries).toHaveLength(2);
    expect((await listDeliveries(`job_id=${same}`)).deliveries).toMatchObject([{ endpoint_id: endpoint.id }]);
    const { endpoints } = (await viewer.request<{ endpoints: Endpoint[] }>('GET', 'webhook-endpoints')).body;
    expect(endpoints).toMatchObject([
      {
        id: endpoint.id,
        description: SCRIPT,
        enabled: true,
        created_by: { email: 'member@webhooks.example.org' },
      },
    ]);
    await member.request('DELETE', `webhook-endpoints/${endpoint.id}`);
  });

  it('a test event is kept with its request and the start of its answer, as text', async () => {
    const endpoint = await createEndpoint([{ status: 404, body: `${SCRIPT}${'x'.repeat(5_000)}` }]);
    const delivery = await sendTest(endpoint.id);
    expect(delivery).toMatchObject({ job_id: null, status: 'failed', attempts: 1, status_code: 404 });
    const [attempt] = delivery.attempt_list;
    expect(attempt?.answer).toEqual({
      body: `${SCRIPT}${'x'.repeat(2_048 - SCRIPT.length)}`,
      truncated: true,
    });
    const [received] = receiver.requestsTo(endpoint.path);
    expect(attempt?.request?.body).toBe(String(received?.body));
    expect(received?.headers).toMatchObject(attempt?.request?.headers ?? {});
    expect(attempt?.request?.headers).toMatchObject({ 'x-svc-event': 'test', 'x-svc-delivery': delivery.id });
    await member.request('DELETE', `webhook-endpoints/${endpoint.id}`);
    expect((await readDelivery(delivery.id)).replayable).toBe(false);
  });

  it('private addresses, and what is no URL, are rejected by name', async () => {
    for (const url of [
      'http://10.0.0.1/',
      'http://169.254.169.254/latest',
      'file:///etc/passwd',
      'x',
      'http://a:b@example.com/',
    ])
      expect(await member.request('POST', 'webhook-endpoints', settings(url))).toMatchObject({
        status: 422,
        body: { errors: [{ field: 'url' }] },
      });
    const bad = {
      url: `http://127.0.0.1/${'x'.repeat(3_000)}`,
      description: 'a\nb',
      events: ['x'],
      enabled: 1,
    };
    const { status, body } = await member.request<{ errors: { field: string }[] }>(
      'POST',
      'webhook-endpoints',
      bad,
    );
    expect(status).toBe(422);
    expect(body.errors.map(({ field }) => field).toSorted()).toEqual([
      'description',
      'enabled',
      'events',
      'url',
    ]);
  });

  it('replay sends one delivery or all failed ones of an endpoint again', async () => {
    const endpoint = await createEndpoint([400, 400, 204]);
    await endJob();
    await endJob();
    const filter = `endpoint=${endpoint.id}&status=`;
    const withStatus = (status: string, count: number) =>
      until(`${count} are ${status}`, async () => {
        const { deliveries } = await listDeliveries(`${filter}${status}`);
        return deliveries.length === count ? deliveries : undefined;
      });
    const [newest] = await withStatus('failed', 2);
    const id = newest?.id ?? '';
    expect((await viewer.request('POST', `deliveries/${id}/replay`)).status).toBe(403);
    expect((await stranger.request('POST', `deliveries/${id}/replay`)).status).toBe(404);
    expect((await stranger.request('GET', `deliveries/${id}`)).status).toBe(404);
    expect((await listDeliveries('', stranger)).deliveries).toEqual([]);
    expect((await member.request('POST', `deliveries/${id}/replay`)).status).toBe(204);
    await withStatus('delivered', 1);
    const all = { endpoint_id: endpoint.id };
    expect((await stranger.request('POST', 'deliveries/replay-failed', all)).body).toEqual({
      replayed: 0,
      has_more: false,
    });
    expect((await member.request('POST', 'deliveries/replay-failed', all)).body).toEqual({
      replayed: 1,
      has_more: false,
    });
    await withStatus('delivered', 2);
    const { status, body } = await owner.request<{ events: { target: string; details: object }[] }>(
      'GET',
      'audit?action=webhooks.replayed',
    );
    expect(status).toBe(200);
    expect(body.events).toMatchObject([
      { target: endpoint.id, details: { deliveries: 1 } },
      { target: id, details: { deliveries: 1 } },
    ]);
  });

  it('the list has pages, and names what is wrong in a query', async () => {
    const endpoint = await createEndpoint([204]);
    for (let number = 0; number < 51; number += 1)
      await member.request('POST', `webhook-endpoints/${endpoint.id}/test`);
    const first = await listDeliveries(`endpoint=${endpoint.id}`);
    const second = await listDeliveries(`endpoint=${endpoint.id}&cursor=${first.next_cursor}`);
    expect([first.deliveries.length, second.deliveries.length, second.next_cursor]).toEqual([50, 1, null]);
    for (const [field, query] of [
      ['status', 'status=broken'],
      ['endpoint', 'endpoint=x'],
      ['job_id', 'job_id=%00'],
      ['cursor', 'cursor=1'],
      ['other', 'other=1'],
    ])
      expect(await viewer.request('GET', `deliveries?${query}`)).toMatchObject({
        status: 422,
        body: { errors: [{ field }] },
      });
  });
});
