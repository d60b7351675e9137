import { beforeAll, describe, expect, it } from 'vitest';
import { describeEndpointCommands } from './operator-endpoints.suite.js';
import { describeWebhookCommands } from './operator-webhooks.suite.js';
import { silentWav } from './support/audio.js';
import { type Client, expectStatus } from './support/client.js';
import { openTranscribeRequest, readErrorResponse } from './support/streamed-transcription.js';
import { grantCredits } from './support/open-account.js';
import { expectProblem } from './support/problem.js';
import type { Account, RunningService } from './support/running-service.js';
import { useSharedService } from './support/shared-service.js';

interface Statement {
  balance: number;
  held: number;
  recharge: { below: number; credits: number } | null;
  entries: { kind: string; amount: number; note: string | null; payment_id: string | null }[];
}

interface PaymentRow {
  payment_id: string;
  credits: number;
  state: string;
  ended_at: string | null;
}

const UNKNOWN = '0193a5c0-0000-7000-8000-000000000000';

let service: RunningService;
beforeAll(async () => void (service = await useSharedService()));

const showAccount = (id: string) =>
  service.adminJson<Statement>('credits', 'show', '--account', id, '--limit', '2', '--json');
const listPayments = (id: string) =>
  service.adminJson<PaymentRow[]>('credits', 'payments', '--account', id, '--json');
const listPaymentIds = async (id: string) =>
  (await service.query<{ id: string }>('SELECT id FROM payment WHERE account_id = $1', [id])).map(
    (payment) => payment.id,
  );

async function openAccountWithoutCredits(): Promise<{ id: string; caller: Client }> {
  const { account_id: id, api_key } = await service.openAccount(0);
  return { id, caller: await service.client(api_key) };
}

it('operator commands for credits and keys are in the audit log of the account', async () => {
  const { account_id: id } = await service.adminJson<Account>(
    ...['accounts', 'create', 'an organisation', '--credits', '5'],
  );
  const account = ['--account', id, '--json'];
  await service.admin('credits', 'grant', '--credits', '7', '--note', 'invoice 12', ...account);
  await service.admin('credits', 'recharge', '--amount', '10', '--below', '2', ...account);
  await service.admin('credits', 'recharge', '--off', ...account);
  const { key_id: key } = await service.adminJson<{ key_id: string }>(
    'keys',
    'create',
    '--name',
    'ci',
    '--account',
    id,
  );
  await service.admin('keys', 'limit', key, '--route', 'upload', '--per-minute', '5');
  await service.admin('keys', 'revoke', key);
  const events = await service.adminJson<{ action: string; details: Record<string, unknown> }[]>(
    'audit',
    ...account,
  );
  expect(events.map(({ action }) => action).toReversed()).toEqual([
    'account.created',
    'key.created',
    'payment.credits_granted',
    'payment.auto_recharge_changed',
    'payment.auto_recharge_ended',
    'key.created',
    'key.limit_changed',
    'key.revoked',
  ]);
  const names = events
    .filter(({ action }) => action.startsWith('key.'))
    .map(({ details }) => details['name']);
  expect(names.toReversed()).toEqual(['first key', 'ci', 'ci', 'ci']);
});

describe('operator commands: credits', () => {
  it('credits grant adds, a negative grant deducts up to the balance, and credits show lists both', async () => {
    const { account_id: id } = await service.openAccount(5);
    const grant = (credits: string, ...options: string[]) =>
      service.admin('credits', 'grant', '--account', id, '--credits', credits, '--json', ...options);
    expect(JSON.parse((await grant('7', '--note', 'invoice 12')).stdout)).toEqual({
      account_id: id,
      balance: 12,
    });
    expect(await grant('-13')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'The balance is 12: 13 cannot be taken from it.\n',
    });
    expect((await grant('-2')).code).toBe(0);
    expect(await showAccount(id)).toMatchObject({
      balance: 10,
      held: 0,
      recharge: null,
      entries: [
        { kind: 'grant', amount: -2 },
        { kind: 'grant', amount: 7, note: 'invoice 12' },
      ],
    });
  });
});

describe('decisions: auto-recharge with the operator as collector', () => {
  it('§7 a 402 requests one payment, settling it grants credits once, and creates succeed again', async () => {
    const { id, caller } = await openAccountWithoutCredits();
    const problem = expectProblem(
      await caller.post('/upload', { file_size: 1 }),
      402,
      'insufficient_credits',
    );
    expect(problem.detail).toMatch(/auto-recharge/);
    const setting = ['credits', 'recharge', '--account', id, '--json'];
    expect(await service.adminJson(...setting, '--amount', '5')).toEqual({
      account_id: id,
      recharge: { below: 1, credits: 5 },
    });
    const rejections = await Promise.all(
      Array.from({ length: 10 }, () => caller.post('/upload', { file_size: 1 })),
    );
    for (const response of rejections)
      expect(expectProblem(response, 402, 'insufficient_credits').detail).toMatch(/asked for/);
    const [request, ...more] = await listPayments(id);
    expect(more).toEqual([]);
    expect(request).toMatchObject({ credits: 5, state: 'requested', ended_at: null });
    const payment = request?.payment_id ?? '';
    const settling = await Promise.all([1, 2].map(() => service.admin('credits', 'settle', payment)));
    expect(settling.filter(({ code }) => code === 0)).toHaveLength(1);
    expect(settling.find(({ code }) => code === 1)?.stderr).toBe(`Payment ${payment} is settled already.\n`);
    await caller.create({ file_size: 1 });
    expect(await showAccount(id)).toMatchObject({
      balance: 5,
      recharge: { credits: 5 },
      entries: [{ kind: 'grant', amount: 5, payment_id: payment }],
    });
    expect(await service.adminJson(...setting, '--off')).toEqual({ account_id: id, recharge: null });
  });

  it('a declined payment grants nothing', async () => {
    const { id, caller } = await openAccountWithoutCredits();
    await service.adminJson(...['credits', 'recharge', '--account', id, '--amount', '5', '--json']);
    await caller.post('/upload', { file_size: 1 });
    const payment = (await listPaymentIds(id))[0] ?? '';
    expect(await service.adminJson('credits', 'decline', payment, '--json')).toEqual({
      payment_id: payment,
      state: 'declined',
    });
    expect((await service.admin('credits', 'settle', payment)).stderr).toMatch(/ is declined already\.\n$/);
    const problem = expectProblem(
      await caller.post('/upload', { file_size: 1 }),
      402,
      'insufficient_credits',
    );
    expect(problem.detail).toMatch(/declined/);
    expect(await listPaymentIds(id)).toHaveLength(1);
  });
});

describe('a service without the settings of Stripe', () => {
  it('has no route for its webhooks, and says which setting is missing', async () => {
    const caller = await service.client();
    expectProblem(await caller.send('POST', '/webhooks/stripe', { body: '{}' }), 404, 'not_found');
    const { account_id: id } = await service.openAccount(1);
    const topUp = await service.admin('credits', 'top-up', '--account', id, '--credits', '5');
    expect(topUp).toMatchObject({ code: 1, stdout: '' });
    expect(topUp.stderr).toMatch(/STRIPE_SECRET_KEY/);
  });
});

describe('§7 an account without credits', () => {
  it('gets 402 from the three creating routes while reads, cancellations and pending uploads work', async () => {
    const { account_id: id, api_key } = await service.openAccount(2);
    const caller = await service.client(api_key);
    const done = await caller.submit(silentWav(1));
    expect((await caller.events(done.job_id)).at(-1)?.name).toBe('completed');
    const [cancelled, openJob] = [await caller.create({ file_size: 1 }), await caller.upload(silentWav(1))];
    await grantCredits(service, id, -1);

    expectProblem(await caller.post('/upload', { file_size: 1 }), 402, 'insufficient_credits');
    expectProblem(
      await caller.post('/upload/multipart/create', { file_size: 1 }),
      402,
      'insufficient_credits',
    );
    const transcribeRequest = openTranscribeRequest(caller);
    transcribeRequest.end(silentWav(1));
    expectProblem(await readErrorResponse(transcribeRequest), 402, 'insufficient_credits');

    const { job_id, status, download_url } = await caller.job(done.job_id);
    expect({ job_id, status }).toEqual({ job_id: done.job_id, status: 'completed' });
    expect((await caller.download(download_url ?? '')).status).toBe(200);
    expect((await caller.send('GET', '/api/v1/jobs')).status).toBe(200);
    expect((await caller.post('/jobs/check-failed', { job_ids: [done.job_id] })).status).toBe(200);
    expect((await caller.events(done.job_id)).at(-1)?.name).toBe('completed');
    expect((await caller.progress(cancelled.job_id)).status).toBe(200);
    const cancel = await caller.post('/jobs/cancel', { job_id: cancelled.job_id });
    expect(expectStatus(200, cancel)).toEqual({ status: 'cancelled' });
    // It may be completed; the missing credit is only detected when its length is known.
    expect(expectStatus(200, await caller.complete(openJob.job_id))).toEqual({ status: 'queued' });
    expect((await caller.events(openJob.job_id)).at(-1)).toMatchObject({
      name: 'failed',
      data: { step: 'billing' },
    });
  });
});

describeWebhookCommands(() => service);
describeEndpointCommands(() => service);

describe('invalid commands about accounts', () => {
  it.concurrent.each([
    ['an unknown account', ['credits', 'grant', '--account', UNKNOWN, '--credits', '1']],
    ['an unknown payment', ['credits', 'settle', UNKNOWN]],
    ['the secret of an unknown account', ['webhooks', 'secret', 'rotate', '--account', UNKNOWN]],
    ['an unknown account to resume', ['accounts', 'resume', UNKNOWN]],
    ['an overlap of more than 30 days', ['webhooks', 'secret', 'rotate', '--overlap', '31d']],
    ['a delivery id together with --failed', ['webhooks', 'replay', UNKNOWN, '--failed']],
  ])('%s exits with 1, one line on stderr and nothing on stdout', async (_, args) => {
    const { code, stdout, stderr } = await service.admin(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^\S.*\.\n$/);
    if (args.includes('--overlap')) expect(stderr).toMatch(/^--overlap takes a time .* up to 30d\.\n$/);
  });
});
