import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dialogueWav } from '../e2e/support/audio.js';
import { WebhookReceiver } from '../e2e/support/webhook-receiver.js';
import { Service } from '../e2e/support/service.js';
import { until } from '../e2e/support/until.js';
import { type VariedJobs, createVariedJobs } from '../e2e/support/varied-jobs.js';
import { Bucket, bucketSettings } from '../support/bucket.js';
import { findInvariantViolations } from '../support/invariants/find-invariant-violations.js';
import { inspectBucket, inspectFileStore, type StoredObjects } from '../support/invariants/stored-objects.js';
import { type Radosgw, startRadosgw } from '../support/radosgw.js';

const SETTINGS = {
  ...{ LEASE_SECONDS: '3', SWEEP_SECONDS: '1', REDELIVER_SECONDS: '5' },
  ...{ UPLOAD_URL_SECONDS: '60', MULTIPART_URL_SECONDS: '60' },
  OUTBOUND_ALLOW: '127.0.0.1',
};
const ENDED_MS = 100_000;

let s3: Radosgw;
let receiver: WebhookReceiver;
let folder: string;
beforeAll(async () => {
  [s3, receiver, folder] = await Promise.all([
    startRadosgw(),
    WebhookReceiver.start(),
    mkdtemp(join(tmpdir(), 'zephyr-backup-')),
  ]);
});
afterAll(async () => {
  await receiver?.close();
  await s3?.stop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

interface StoreKind {
  settings: Record<string, string>;
  stored: (service: Service) => StoredObjects;
}

const FILES: StoreKind = {
  settings: {},
  stored: ({ dataDir }) => inspectFileStore(join(dataDir, 'objects')),
};
const bucketKind = (name: string): StoreKind => ({
  settings: bucketSettings(s3, name),
  stored: () => inspectBucket(new Bucket(s3, name)),
});

const readTranscript = async ({ account }: VariedJobs, service: Service, id: string) =>
  (await (await service.client(account.api_key)).send('GET', `/api/v1/jobs/${id}/transcript`)).text;

/** Waits until all jobs have ended. @returns the violations of invariants that remain */
async function findRemainingViolations(service: Service, stored: StoredObjects): Promise<string[]> {
  const database = new pg.Pool({ connectionString: await service.databaseUrl(), max: 2 });
  try {
    const isDone = async () =>
      (await database.query(`SELECT id FROM job WHERE status = 'processing'`)).rows.length === 0;
    await until('every job has ended', isDone, ENDED_MS);
    const findViolations = () => findInvariantViolations({ database, stored });
    await until('every invariant holds', async () => (await findViolations()).length === 0, 60_000).catch(
      () => [],
    );
    return await findViolations();
  } finally {
    await database.end();
  }
}

describe('a backup made while jobs run', () => {
  it.concurrent.each([
    ['files', 'a bucket', () => FILES, () => bucketKind('restored')],
    ['a bucket', 'files', () => bucketKind('backed-up'), () => FILES],
  ])(
    'a backup of %s is restored to %s, and its open jobs complete there',
    async (name, _, from, to) => {
      const source = await Service.start({ ...SETTINGS, ...from().settings });
      try {
        const jobs = await createVariedJobs(source, receiver);
        const texts = new Map<string, string>();
        for (const id of [...jobs.completed, jobs.withSpeakerNames])
          texts.set(id, await readTranscript(jobs, source, id));
        const audio = await dialogueWav();
        const open = await Promise.all([1, 2, 3].map(() => jobs.client.submit(audio)));
        const backup = join(folder, name.replace(' ', '-'));
        expect(await source.adminJson('backup', backup, '--json')).toMatchObject({ missing_objects: 0 });
        const { service, report } = await Service.startRestored(backup, { ...SETTINGS, ...to().settings });
        try {
          expect(report).toMatchObject({ missing_objects: 0, open_multipart_uploads: 1 });
          expect(report.stages_due).toBeGreaterThan(0);
          for (const [id, text] of texts) expect(await readTranscript(jobs, service, id)).toBe(text);
          const client = await service.client(jobs.account.api_key);
          for (const { job_id } of open) expect((await client.events(job_id)).at(-1)?.name).toBe('completed');
          await client.post('/upload/multipart/abort', { job_id: jobs.multipart.job_id });
          expect(await findRemainingViolations(service, to().stored(service))).toEqual([]);
        } finally {
          await service.stop();
        }
      } finally {
        await source.stop();
      }
    },
    400_000,
  );
});
