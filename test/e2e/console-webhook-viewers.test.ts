import { afterAll, beforeAll, expect, it } from 'vitest';
import { ConsoleUsers } from './support/console-users.js';
import type { RunningService } from './support/running-service.js';
import { useSharedService } from './support/shared-service.js';
import { until } from './support/until.js';
import { WebhookReceiver } from './support/webhook-receiver.js';

const SECRET = 's3cret-of-the-receiver';

let service: RunningService;
let receiver: WebhookReceiver;

beforeAll(async () => {
  service = await useSharedService();
  receiver = await WebhookReceiver.start();
});
afterAll(async () => {
  await receiver?.close();
});

it('viewers see neither secrets in URLs of receivers nor requests and responses', async () => {
  const account = await service.openAccount(1000);
  const users = new ConsoleUsers(service, account.account_id);
  const member = await users.createWithPassword('member@webhook-viewers.example.org', 'member');
  const viewer = await users.createWithPassword('viewer@webhook-viewers.example.org', 'viewer');
  const url = receiver.reply(`/masked?token=${SECRET}`, { status: 404, body: SECRET });
  const settings = { url, description: '', events: ['failed'], enabled: true };
  const endpoint = await member.request<{ id: string }>('POST', 'webhook-endpoints', settings);
  const caller = await service.client(account.api_key);
  const callback_url = `${receiver.reply('/callback', 200)}?${SECRET}`;
  const { job_id: job } = await caller.create({ file_size: 1, callback_url });
  await caller.post('/jobs/cancel', { job_id: job });
  const test = await member.request('POST', `webhook-endpoints/${endpoint.body.id}/test`);
  const path = `deliveries/${String(test.body.delivery_id)}`;
  const full = await until('the test event was answered', async () => {
    const { body } = await member.request<{ status: string; attempt_list: object[] }>('GET', path);
    return body.status !== 'pending' && body;
  });
  expect(full).toMatchObject({ url, attempt_list: [{ answer: { body: SECRET } }] });
  const jobOfMember = await member.request('GET', `jobs/${job}`);
  expect(jobOfMember.body).toMatchObject({ callback_url, options: { callback_url } });

  const seen = [];
  for (const address of ['webhook-endpoints', 'deliveries', `deliveries?job_id=${job}`, path, `jobs/${job}`])
    seen.push(await viewer.request('GET', address));
  expect(seen.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(JSON.stringify(seen.map(({ body }) => body))).not.toContain(SECRET);
  expect(seen[0]?.body).toMatchObject({ endpoints: [{ url: `${receiver.url}/masked?token=***` }] });
  expect(seen[3]?.body).toMatchObject({
    attempt_list: [{ status_code: 404, request: null, answer: null, unreadable: false }],
  });
  expect(seen[4]?.body).toMatchObject({ callback_url: `${receiver.url}/callback?***` });
});
