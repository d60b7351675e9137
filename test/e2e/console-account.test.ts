import pg from 'pg';
import { beforeAll, expect, it } from 'vitest';
import { silentWav } from './support/audio.js';
import type { ConsoleClient } from './support/console-client.js';
import { ConsoleUsers, PASSWORD } from './support/console-users.js';
import type { RunningService } from './support/running-service.js';
import { useSharedService } from './support/shared-service.js';
import { transcribeStreamed } from './support/streamed-transcription.js';
import { until } from './support/until.js';

/** Audio of a cancelled job is deleted when no worker can be writing any more. */
const MAX_DELETION_MS = 150_000;
const TEST_MS = 180_000;
const DAY_MS = 86_400_000;
const SCRIPT = '<script>alert(1)</script>';

let service: RunningService;
beforeAll(async () => {
  service = await useSharedService();
});

async function openAccount(
  name: string,
): Promise<{ id: string; key: string; owner: ConsoleClient; admin: ConsoleClient }> {
  const { account_id: id, api_key: key } = await service.openAccount(1000);
  const users = new ConsoleUsers(service, id);
  return {
    id,
    key,
    owner: await users.createWithPassword(`owner-${name}@account.example.org`),
    admin: await users.createWithPassword(`admin-${name}@account.example.org`, 'admin'),
  };
}

async function setFinishedTwoDaysAgo(jobId: string): Promise<void> {
  const database = new pg.Client(await service.databaseUrl());
  await database.connect();
  await database.query(`UPDATE job SET finished_at = now() - interval '2 days' WHERE id = $1`, [jobId]);
  await database.end();
}

it('an owner renames the account; the name stays text, and the change is recorded', async () => {
  const { id, owner, admin } = await openAccount('renamed');
  expect((await admin.request('GET', 'account')).body).toMatchObject({
    id,
    name: 'an organisation',
    transcript_retention_days: 30,
  });
  expect((await admin.request('PUT', 'account', { name: 'x' })).status).toBe(403);
  for (const name of ['', 'a'.repeat(81), 'a\nb', 7])
    expect(await owner.request('PUT', 'account', { name })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'name' }] },
    });
  expect((await owner.request('PUT', 'account', { name: SCRIPT })).status).toBe(204);
  expect((await admin.request('GET', 'session')).body).toMatchObject({ account: { name: SCRIPT } });
  expect((await admin.request('GET', 'audit?action=account.renamed')).body).toMatchObject({
    events: [
      {
        details: { from: 'an organisation', to: SCRIPT },
        actor: { name: 'owner-renamed@account.example.org' },
      },
    ],
  });
});

// Both wait for tasks of the upkeep that run once a minute.
it.concurrent(
  'admins shorten the retention of transcripts with a confirmation, and older ones are deleted',
  async () => {
    const { id, key, owner, admin } = await openAccount('retention');
    const member = await new ConsoleUsers(service, id).createWithPassword(
      'member@account.example.org',
      'member',
    );
    const caller = await service.client(key);
    const transcription = await transcribeStreamed(caller, silentWav(1));
    for await (const message of transcription.messages()) void message;
    const [job] = (await admin.request<{ jobs: { job_id: string }[] }>('GET', 'jobs')).body.jobs;
    const jobPath = `jobs/${job?.job_id}`;
    const readJob = async () => (await admin.request<Record<string, string>>('GET', jobPath)).body;
    const { finished_at: finished = '', transcript_expires_at: expires = '' } = await readJob();
    expect(Date.parse(expires) - Date.parse(finished)).toBe(30 * DAY_MS);

    const put = (body: object, as = admin) => as.request('PUT', 'account/retention', body);
    expect((await put({ transcript_days: 7 }, member)).status).toBe(403);
    for (const days of [0, 31, 1.5, '7', 36_501])
      expect(await put({ transcript_days: days })).toMatchObject({
        status: 422,
        body: { errors: [{ field: 'transcript_days' }] },
      });
    expect((await put({ transcript_days: 7 })).status).toBe(204);
    expect((await member.request('GET', 'account')).body).toMatchObject({
      transcript_retention_days: 7,
      chosen_transcript_retention_days: 7,
      operator_transcript_retention_days: 30,
    });
    expect(Date.parse((await readJob()).transcript_expires_at ?? '') - Date.parse(finished)).toBe(7 * DAY_MS);

    await setFinishedTwoDaysAgo(job?.job_id ?? '');
    expect(await put({ transcript_days: 1 })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'delete_older_transcripts' }] },
    });
    expect((await put({ transcript_days: 1, delete_older_transcripts: true }, owner)).status).toBe(204);
    await until(
      'the transcript is deleted',
      async () => !(await readJob()).transcript_available,
      MAX_DELETION_MS,
    );
    expect(await readJob()).toMatchObject({ status: 'completed', transcript_expires_at: null });
    expect((await caller.job(job?.job_id ?? '')).download_url).toBeNull();
    expect((await admin.request('GET', 'audit?action=account.retention_changed')).body).toMatchObject({
      events: [
        {
          details: { from: 7, to: 1, deleted_transcripts: 1 },
          actor: { name: 'owner-retention@account.example.org' },
        },
        { details: { from: null, to: 7, deleted_transcripts: 0 } },
      ],
    });

    const refused = await service.admin('accounts', 'retention', id, '--days', '31');
    expect(refused).toMatchObject({ code: 1, stderr: '--days must be a whole number from 1 to 30.\n' });
    expect(await service.adminJson('accounts', 'retention', id, '--reset', '--json')).toEqual({
      account_id: id,
      transcript_retention_days: 30,
      deleted_transcripts: 0,
    });
  },
  TEST_MS,
);

it.concurrent(
  'the end of an account takes its exact name, revokes everything, and deletes its jobs and their objects',
  async () => {
    const { id, key, owner, admin } = await openAccount('ended');
    const other = await openAccount('other');
    const caller = await service.client(key);
    const transcription = await transcribeStreamed(caller, silentWav(1));
    for await (const message of transcription.messages()) void message;
    const open = await caller.create({ file_size: 1 });
    const [finished] = (
      JSON.parse((await caller.send('GET', '/api/v1/jobs?status=completed')).text) as {
        jobs: { job_id: string }[];
      }
    ).jobs;
    await (await service.client(other.key)).create({ file_size: 1 });
    await owner.request('POST', 'vocabularies', { name: 'People', terms: ['Ada'] });
    await owner.request('POST', 'invitations', { email: 'late@account.example.org', role: 'viewer' });

    expect((await admin.request('POST', 'account/end', { name: 'an organisation' })).status).toBe(403);
    expect(await owner.request('POST', 'account/end', { name: 'an organization' })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'name' }] },
    });
    expect((await caller.send('GET', '/api/v1/jobs')).status).toBe(200);
    expect(await owner.request('POST', 'account/end', { name: 'an organisation' })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'current_password' }] },
    });
    const confirmed = { name: 'an organisation', current_password: PASSWORD };
    expect((await owner.request('POST', 'account/end', confirmed)).status).toBe(204);

    expect((await caller.send('GET', '/api/v1/jobs')).status).toBe(401);
    for (const browser of [owner, admin]) {
      expect((await browser.request('GET', 'session')).body).toMatchObject({ account: null, accounts: [] });
      expect(await browser.request('GET', 'balance')).toMatchObject({ status: 403 });
    }
    expect(await service.adminJson('vocabularies', 'list', '--account', id, '--json')).toEqual([]);
    const listJobs = (account: string) =>
      service.adminJson<{ job_id: string }[]>('jobs', 'list', '--account', account, '--json');
    const countJobs = `SELECT count(*)::int AS count FROM job WHERE account_id = $1`;
    // An operator command at every look would cost a second of CPU time each.
    await until(
      'the jobs are deleted',
      async () => (await service.query<{ count: number }>(countJobs, [id]))[0]?.count === 0,
      MAX_DELETION_MS,
    );
    expect(await listJobs(id)).toEqual([]);
    expect(finished?.job_id).toBeDefined();
    for (const job of [finished?.job_id, open.job_id])
      expect(await service.admin('jobs', 'show', job ?? '')).toMatchObject({ code: 1 });
    expect(await listJobs(other.id)).toHaveLength(1);
    expect((await other.owner.request('GET', 'session')).body).toMatchObject({ account: { role: 'owner' } });
    const events = await service.adminJson<{ action: string }[]>('audit', '--account', id, '--json');
    expect(events[0]).toMatchObject({
      action: 'account.ended',
      actor: 'user owner-ended@account.example.org',
    });
    const { entries } = await service.adminJson<{ entries: unknown[] }>(
      'credits',
      'show',
      '--account',
      id,
      '--json',
    );
    expect(entries.length).toBeGreaterThan(0);
  },
  TEST_MS,
);
