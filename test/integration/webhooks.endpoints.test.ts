import { inTransaction } from '@app/database';
import {
  listWebhookDeliveriesForOperator,
  replayFailedDeliveries,
  WebhookJobHooks,
  type WebhookEndpointSettings,
} from '@app/webhooks';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver, status } from './outbound.receiver.js';
import { COMPLETED, FAILED, WebhookFixture } from './webhooks.fixture.js';

let fixture: WebhookFixture;
let receiver: Receiver;
let recorded: { action: string; target: string; details: Record<string, unknown> }[];

beforeAll(async () => {
  fixture = await WebhookFixture.open();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  recorded = [];
  receiver = await startReceiver(status(200));
});
afterEach(async () => {
  await receiver.close();
  await fixture.clear();
});

const record = async (_: unknown, change: (typeof recorded)[number]) => void recorded.push(change);

function createEndpoint(path: string, settings: Partial<WebhookEndpointSettings> = {}): Promise<string> {
  const owner = { accountId: fixture.accountId, createdBy: null };
  const url = `${receiver.url}${path}`;
  const events = ['completed', 'failed'] as const;
  return fixture.endpoints.create(
    owner,
    { url, description: '', events: [...events], enabled: true, ...settings },
    record,
  );
}

const change = (id: string, changes: Partial<WebhookEndpointSettings>, accountId = fixture.accountId) =>
  fixture.endpoints.change(accountId, id, changes, record);

const listStates = async () =>
  (await listWebhookDeliveriesForOperator(fixture.dataSource, null))
    .map(({ url, state }) => `${new URL(url).pathname} ${state}`)
    .toSorted();

async function endedJobWithoutDelivery(): Promise<string> {
  const jobId = await fixture.endedJob(null);
  await fixture.dataSource.query('DELETE FROM webhook_delivery');
  return jobId;
}

/** As in the transaction that ends the job, but not deferred to its commit. */
async function insertDeliveries(tx: EntityManager, jobId: string): Promise<void> {
  const job = {
    ...{ id: jobId, accountId: fixture.accountId, outcome: COMPLETED },
    ...{ processedSeconds: 1, hasWebhookTargets: true },
  };
  await new WebhookJobHooks().onJobEnd(tx, job);
  await tx.query('SELECT 1');
}

const waitForBlockedStatement = () =>
  expect
    .poll(() =>
      fixture.dataSource.query<unknown[]>(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      ),
    )
    .toHaveLength(1);

describe('the endpoints of an account', () => {
  it('each gets its own delivery of the events that it names, beside the callback URL', async () => {
    await createEndpoint('/all');
    await createEndpoint('/failures', { events: ['failed'] });
    await createEndpoint('/off', { enabled: false });
    const completed = await fixture.endedJob(`${receiver.url}/callback`);
    await fixture.endedJob(null, FAILED);
    await fixture.endedJob(null, COMPLETED, await fixture.anotherAccount());
    await fixture.dispatcher().dispatchOnce();
    expect(await listStates()).toEqual([
      '/all delivered',
      '/all delivered',
      '/callback delivered',
      '/failures delivered',
    ]);
    const ids = receiver.received.map(({ headers }) => headers['x-svc-delivery']);
    expect(new Set(ids).size).toBe(4);
    const bodies = receiver.received
      .filter(({ path, headers }) => path === '/all' && headers['x-svc-event'] === 'completed')
      .map(({ body }) => JSON.parse(String(body)) as object);
    expect(bodies).toMatchObject([{ job_id: completed, status: 'completed' }]);
  });

  it('one with the URL of the callback gets each event once, and the callback does not depend on it', async () => {
    const id = await createEndpoint('/hook');
    await fixture.endedJob(`${receiver.url}/hook`);
    expect(await listWebhookDeliveriesForOperator(fixture.dataSource, null)).toMatchObject([
      { endpointId: id },
    ]);
    await change(id, { enabled: false });
    expect(await listStates()).toEqual(['/hook pending']);
    await fixture.dispatcher().dispatchOnce();
    expect(receiver.received).toHaveLength(1);
    await fixture.endedJob(`${receiver.url}/hook`);
    await fixture.dispatcher().dispatchOnce();
    expect(receiver.received).toHaveLength(2);
  });

  it('a disabled or deleted one gets nothing that is pending, and nothing of later jobs', async () => {
    const [disabled, deleted] = [await createEndpoint('/disabled'), await createEndpoint('/deleted')];
    await fixture.endedJob(null);
    await change(disabled, { enabled: false });
    await fixture.endpoints.delete(fixture.accountId, deleted, record);
    await fixture.endedJob(null);
    expect(await fixture.dispatcher().dispatchOnce()).toBe(0);
    expect(await listStates()).toEqual(['/deleted cancelled', '/disabled cancelled']);
    expect(recorded.map(({ action, target }) => [action, target]).slice(2)).toEqual([
      ['webhooks.endpoint_disabled', disabled],
      ['webhooks.endpoint_deleted', deleted],
    ]);
    expect(recorded.at(-1)?.details).toMatchObject({ cancelled_deliveries: 1 });
    expect((await fixture.endpoints.list(fixture.accountId)).map(({ id }) => id)).toEqual([disabled]);
    await createEndpoint('/deleted');
  });

  it('a job that ends before its endpoint is disabled has no pending delivery to it', async () => {
    const id = await createEndpoint('/hook');
    const jobId = await endedJobWithoutDelivery();
    let disabling: Promise<void> | undefined;
    await inTransaction(fixture.dataSource, async (tx) => {
      await insertDeliveries(tx, jobId);
      disabling = change(id, { enabled: false });
      await waitForBlockedStatement();
    });
    await disabling;
    expect(await listStates()).toEqual(['/hook cancelled']);
  });

  it('a change of an endpoint and the end of a job that delivers to it lock in one order', async () => {
    const id = await createEndpoint('/hook');
    const jobId = await endedJobWithoutDelivery();
    let changing: Promise<void> | undefined;
    await inTransaction(fixture.dataSource, async (tx) => {
      await insertDeliveries(tx, jobId);
      changing = change(id, { description: 'changed' });
      await waitForBlockedStatement();
      // As the charge of the job does, which must not wait for the change that waits for it.
      await tx.query('SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE NOWAIT', [fixture.accountId]);
    });
    await changing;
    expect(await fixture.endpoints.list(fixture.accountId)).toMatchObject([{ description: 'changed' }]);
  });

  it('a job that ends while its endpoint is disabled has no delivery to it', async () => {
    const id = await createEndpoint('/hook');
    const jobId = await endedJobWithoutDelivery();
    let ending: Promise<void> | undefined;
    await fixture.endpoints.change(fixture.accountId, id, { enabled: false }, async () => {
      ending = inTransaction(fixture.dataSource, (tx) => insertDeliveries(tx, jobId));
      await waitForBlockedStatement();
    });
    await ending;
    expect(await listStates()).toEqual([]);
  });

  it('get no replay while they are disabled, and no test event after they are deleted', async () => {
    const id = await createEndpoint('/hook');
    receiver.answer = status(400);
    await fixture.endedJob(null);
    await fixture.dispatcher().dispatchOnce();
    const [delivery] = await listWebhookDeliveriesForOperator(fixture.dataSource, null);
    const { accountId, endpoints, log } = fixture;
    const write = async () => undefined;
    let results: PromiseSettledResult<unknown>[] = [];
    const whileChanging = (start: () => Promise<unknown>) => {
      let started: Promise<PromiseSettledResult<unknown>[]> | undefined;
      return {
        record: async () => {
          started = Promise.allSettled([start()]);
          await waitForBlockedStatement();
        },
        finish: async () => void (results = [...results, ...((await started) ?? [])]),
      };
    };
    for (const start of [
      () => log.replay(accountId, delivery?.id ?? '', write),
      () => log.replayFailed(accountId, id, write),
    ]) {
      await change(id, { enabled: true });
      const disabling = whileChanging(start);
      await endpoints.change(accountId, id, { enabled: false }, disabling.record);
      await disabling.finish();
    }
    const deleting = whileChanging(() => endpoints.sendTest(accountId, id, write));
    await endpoints.delete(accountId, id, deleting.record);
    await deleting.finish();
    expect(results).toMatchObject([
      { reason: { detail: 'Its endpoint is disabled or deleted.' } },
      { value: { replayed: 0 } },
      { reason: { code: 'no_such_resource' } },
    ]);
    expect(await listStates()).toEqual(['/hook failed']);
  });

  it('a changed URL applies to pending deliveries and to replays', async () => {
    const id = await createEndpoint('/old');
    await fixture.endedJob(null);
    await change(id, { url: `${receiver.url}/new` });
    receiver.answer = status(400);
    await fixture.dispatcher().dispatchOnce();
    await change(id, { url: `${receiver.url}/newest` });
    const allFailed = { since: null, endpointId: null, limit: null };
    await inTransaction(fixture.dataSource, (tx) => replayFailedDeliveries(tx, fixture.accountId, allFailed));
    await fixture.dispatcher().dispatchOnce();
    expect(receiver.received.map(({ path }) => path)).toEqual(['/new', '/newest']);
  });

  it.each([
    'http://10.0.0.1/',
    'http://[::1]/',
    'ftp://example.com/',
    'http://user:pw@example.com/',
    'no url',
  ])('the URL %s is rejected by name', async (url) => {
    const expected = { code: 'validation_failed', errors: [{ field: 'url' }] };
    await expect(createEndpoint('/', { url })).rejects.toMatchObject(expected);
    const id = await createEndpoint('/hook');
    await expect(change(id, { url })).rejects.toMatchObject(expected);
    await fixture.dataSource.query('UPDATE webhook_endpoint SET url = $2 WHERE id = $1', [id, url]);
    await expect(fixture.endpoints.sendTest(fixture.accountId, id, record)).rejects.toMatchObject(expected);
    expect(recorded.map(({ action }) => action)).toEqual(['webhooks.endpoint_created']);
  });

  it('no two have the same URL, and there are at most ten', async () => {
    await createEndpoint('/0');
    await expect(createEndpoint('/0')).rejects.toMatchObject({ errors: [{ field: 'url' }] });
    const second = await createEndpoint('/1');
    await expect(change(second, { url: `${receiver.url}/0` })).rejects.toMatchObject({
      errors: [{ field: 'url' }],
    });
    const others = await Promise.allSettled(
      Array.from({ length: 10 }, (_, number) => createEndpoint(`/more-${number}`)),
    );
    expect(others.filter((result) => result.status === 'fulfilled')).toHaveLength(8);
    expect(await fixture.endpoints.list(fixture.accountId)).toHaveLength(10);
  });

  it('those of another account are unknown', async () => {
    const id = await createEndpoint('/hook');
    const other = await fixture.anotherAccount();
    const unknown = { code: 'no_such_resource' };
    await expect(change(id, { enabled: false }, other)).rejects.toMatchObject(unknown);
    await expect(fixture.endpoints.delete(other, id, record)).rejects.toMatchObject(unknown);
    await expect(fixture.endpoints.sendTest(other, id, record)).rejects.toMatchObject(unknown);
    await expect(change(uuidv7(), { enabled: false })).rejects.toMatchObject(unknown);
    expect(await fixture.endpoints.list(other)).toEqual([]);
    expect(await fixture.endpoints.list(fixture.accountId)).toMatchObject([{ id, enabled: true }]);
  });

  it('the query of the URL, which may contain a secret, is not in the audit log', async () => {
    await createEndpoint('/hook?token=abc');
    expect(JSON.stringify(recorded)).not.toContain('abc');
  });
});
