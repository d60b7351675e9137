import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ConsoleClient } from './support/console-client.js';
import { ConsoleUsers } from './support/console-users.js';
import { useSharedService } from './support/shared-service.js';
import { WebhookReceiver } from './support/webhook-receiver.js';

let receiver: WebhookReceiver;
let owner: ConsoleClient;
let member: ConsoleClient;

beforeAll(async () => {
  const service = await useSharedService();
  receiver = await WebhookReceiver.start();
  const users = new ConsoleUsers(service, (await service.openAccount(1000)).account_id);
  owner = await users.createWithPassword('owner@webhook-changes.example.org');
  member = await users.createWithPassword('member@webhook-changes.example.org', 'member');
});

afterAll(async () => {
  await receiver?.close();
});

const settings = (url: string, more = {}) => ({
  ...{ url, description: '', events: ['completed', 'failed'], enabled: true },
  ...more,
});

it('a change keeps the settings that it leaves out, and rejects null', async () => {
  const url = `${receiver.url}/kept`;
  const { body } = await member.request<{ id: string }>('POST', 'webhook-endpoints', settings(url));
  const path = `webhook-endpoints/${body.id}`;
  expect((await member.request('PUT', path, { enabled: false })).status).toBe(204);
  expect((await member.request('PUT', path, { description: 'new' })).status).toBe(204);
  const { endpoints } = (await member.request<{ endpoints: { id: string }[] }>('GET', 'webhook-endpoints'))
    .body;
  expect(endpoints.find(({ id }) => id === body.id)).toMatchObject({
    ...settings(url),
    description: 'new',
    enabled: false,
  });
  for (const field of ['url', 'description', 'events', 'enabled'])
    expect(await member.request('PUT', path, { [field]: null })).toMatchObject({
      status: 422,
      body: { errors: [{ field }] },
    });
  await member.request('DELETE', path);
});

it('every change is in the audit log, without the query of the URL', async () => {
  const url = `${receiver.url}/audited?token=secret`;
  const { body } = await member.request<{ id: string }>('POST', 'webhook-endpoints', settings(url));
  const path = `webhook-endpoints/${body.id}`;
  await member.request('PUT', path, settings(url, { description: 'new' }));
  await member.request('PUT', path, settings(url, { enabled: false }));
  await member.request('PUT', path, settings(url));
  await member.request('PUT', path, {});
  await member.request('POST', `${path}/test`);
  await member.request('DELETE', path);
  expect((await member.request('DELETE', path)).status).toBe(404);
  const audit = await owner.request<{ events: { action: string }[] }>('GET', `audit?target=${body.id}`);
  expect(audit.body.events.map(({ action }) => action)).toEqual([
    'webhooks.endpoint_deleted',
    'webhooks.tested',
    'webhooks.endpoint_enabled',
    'webhooks.endpoint_disabled',
    'webhooks.endpoint_changed',
    'webhooks.endpoint_created',
  ]);
  expect(JSON.stringify(audit.body)).not.toContain('token=secret');
});
