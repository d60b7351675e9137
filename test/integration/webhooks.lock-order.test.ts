import { inTransaction } from '@app/database';
import { WebhookJobHooks } from '@app/webhooks';
import type { EntityManager } from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { COMPLETED, WebhookFixture } from './webhooks.fixture.js';

let fixture: WebhookFixture;
beforeAll(async () => void (fixture = await WebhookFixture.open()));
afterAll(() => fixture.close());

const record = async () => undefined;
const createEndpoint = (path: string, enabled: boolean) =>
  fixture.endpoints.create(
    { accountId: fixture.accountId, createdBy: null },
    { url: `http://127.0.0.1:9${path}`, description: '', events: ['completed'], enabled },
    record,
  );

async function endJobWithoutDelivery(): Promise<string> {
  const id = await fixture.endedJob(null);
  await fixture.dataSource.query('DELETE FROM webhook_delivery');
  return id;
}

/** As in the transaction that ends the job, but not deferred to its commit. */
async function insertDeliveries(tx: EntityManager, id: string): Promise<void> {
  const { accountId } = fixture;
  const job = { id, accountId, outcome: COMPLETED, processedSeconds: 1, hasWebhookTargets: true };
  await new WebhookJobHooks().onJobEnd(tx, job);
  await tx.query('SELECT 1');
}

const listBlockedStatements = () =>
  fixture.dataSource.query<unknown[]>(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );

const STARTS: Record<
  string,
  (ids: Record<'endpoint' | 'disabled' | 'delivery', string>) => Promise<unknown>
> = {
  'a replay': ({ delivery }) => fixture.log.replay(fixture.accountId, delivery, record),
  'a replay of all failed ones': ({ endpoint }) =>
    fixture.log.replayFailed(fixture.accountId, endpoint, record),
  'a test event': ({ disabled }) => fixture.endpoints.sendTest(fixture.accountId, disabled, record),
};

it.each(Object.keys(STARTS))('%s and the end of a job of the account lock in one order', async (what) => {
  await fixture.clear();
  const [endpoint, disabled] = [await createEndpoint('/hook', true), await createEndpoint('/off', false)];
  const [failedJob, jobId] = [await endJobWithoutDelivery(), await endJobWithoutDelivery()];
  await inTransaction(fixture.dataSource, (tx) => insertDeliveries(tx, failedJob));
  await fixture.dataSource.query(`UPDATE webhook_delivery SET state = 'failed', finished_at = now()`);
  const { id: delivery } = await fixture.deliveryOf(failedJob);
  // No delivery is pending, so the next one locks the turn of the account.
  await fixture.dataSource.query('UPDATE turn SET waiting = false');
  let started: Promise<unknown> | undefined;
  await inTransaction(fixture.dataSource, async (tx) => {
    await insertDeliveries(tx, jobId);
    started = STARTS[what]?.({ endpoint, disabled, delivery });
    await expect.poll(listBlockedStatements, { timeout: 20_000 }).toHaveLength(1);
    // As the charge of the job does, which must not wait for what waits for it.
    const locked = tx.query('SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE NOWAIT', [
      fixture.accountId,
    ]);
    expect(await locked).toHaveLength(1);
  });
  await started;
});
