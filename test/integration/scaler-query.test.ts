import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { inTransaction } from '@app/database';
import { createJobAndEnqueueIfUrl } from '@app/jobs';
import { holdAllWebhookDeliveries, releaseAllWebhookDeliveries } from '@app/webhooks';
import { parseAllDocuments } from 'yaml';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createJobWorld, type World } from '../support/job-world.js';
import { buildUrlJob } from '../support/new-job.js';

const MANIFEST = fileURLToPath(
  new URL('../../deploy/kubernetes/overlays/keda/scaled-object.yaml', import.meta.url),
);

interface ScaledObject {
  kind: string;
  spec: { triggers: { type: string; metadata: Record<string, string> }[] };
}

/** The trigger of the manifest by rows of Postgres. */
function readTrigger(): Record<string, string> {
  const documents = parseAllDocuments(readFileSync(MANIFEST, 'utf8')).map(
    (each) => each.toJS() as ScaledObject,
  );
  const triggers = documents.find(({ kind }) => kind === 'ScaledObject')?.spec.triggers ?? [];
  const trigger = triggers.find(({ type }) => type === 'postgresql');
  if (trigger === undefined) throw new Error('the manifest has no trigger by rows of Postgres');
  return trigger.metadata;
}

const { query = '', targetQueryValue } = readTrigger();
let world: World;

beforeAll(async () => {
  world = await createJobWorld();
  await world.rows(`INSERT INTO installation (secret_fingerprint) VALUES ('test')`);
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.rows('DELETE FROM job');
  await world.rows('DELETE FROM webhook_delivery');
});

/** KEDA reads one row with one number. */
async function askScaler(): Promise<number> {
  const rows = await world.rows<Record<string, string>>(query);
  expect(rows).toHaveLength(1);
  const values = Object.values(rows[0] ?? {});
  expect(values).toHaveLength(1);
  return Number(values[0]);
}

const podsFor = (value: number) => Math.ceil(value / Number(targetQueryValue));

function addChunks(jobId: string, count: number, state: string, due = 'now()') {
  return world.rows(
    `INSERT INTO job_stage (job_id, name, queue, chunk_index, state, due_at)
     SELECT $1, 'chunk:' || n, 'chunk', n, $3, ${due} FROM generate_series(1, $2::int) AS n`,
    jobId,
    count,
    state,
  );
}

const addFetches = (accountId: string, count: number) =>
  inTransaction(world.dataSource, async (tx) => {
    for (let added = 0; added < count; added += 1)
      await createJobAndEnqueueIfUrl(tx, buildUrlJob({ accountId }));
  });

describe('the query by which processors are scaled', () => {
  it('returns nothing to do for an installation without work, and for jobs that wait for their audio', async () => {
    expect(await askScaler()).toBe(0);
    await world.newJob({ enqueue: false });
    expect(await askScaler()).toBe(0);
  });

  it('counts a recording that is not split yet as the chunks of one processor', async () => {
    await world.newJob();
    expect(await askScaler()).toBe(4);
    expect(podsFor(4)).toBe(1);
  });

  it.each(['pending', 'running'])('counts chunks that are %s', async (state) => {
    const job = await world.newJob({ enqueue: false });
    await addChunks(job, 41, state);
    expect(await askScaler()).toBe(41);
    expect(podsFor(41)).toBe(11);
  });

  it.each(['done', 'dropped'])('does not count chunks that are %s', async (state) => {
    await addChunks(await world.newJob({ enqueue: false }), 3, state);
    expect(await askScaler()).toBe(0);
  });

  it('counts chunks that are tried again soon, and not those that are tried again later', async () => {
    const [soon, later] = [await world.newJob({ enqueue: false }), await world.newJob({ enqueue: false })];
    await addChunks(soon, 2, 'pending', `now() + interval '30 seconds'`);
    await addChunks(later, 5, 'pending', `now() + interval '1 hour'`);
    expect(await askScaler()).toBe(2);
  });

  it('counts no more fetches of an account than run at the same time', async () => {
    const [one, other] = [await world.newAccount(), await world.newAccount()];
    await addFetches(one, 1);
    expect(await askScaler()).toBe(1);
    await addFetches(one, 40);
    expect(await askScaler()).toBe(2);
    await world.rows(
      `UPDATE job_stage SET state = 'running' WHERE job_id IN (SELECT id FROM job ORDER BY id LIMIT 2)`,
    );
    expect(await askScaler()).toBe(2);
    await addFetches(other, 3);
    expect(await askScaler()).toBe(4);
    await addChunks(await world.newJob({ enqueue: false }), 5, 'pending');
    expect(await askScaler()).toBe(9);
  });

  describe('with due webhooks', () => {
    beforeEach(() =>
      world.rows(
        `INSERT INTO webhook_delivery (id, account_id, event, url)
         SELECT gen_random_uuid(), $1, 'test', 'https://receiver.example' FROM generate_series(1, 3)`,
        world.accountId,
      ),
    );

    it('asks for one processor, however many there are', async () => {
      expect(await askScaler()).toBe(1);
      await world.rows(`UPDATE webhook_delivery SET state = 'delivered'`);
      expect(await askScaler()).toBe(0);
    });

    it('asks for none while webhooks are held', async () => {
      await holdAllWebhookDeliveries(world.dataSource);
      expect(await askScaler()).toBe(0);
      await releaseAllWebhookDeliveries(world.dataSource);
      expect(await askScaler()).toBe(1);
    });
  });
});
