import { beforeAll, describe, expect, it } from 'vitest';
import { silentWav, synthesizeSpeech } from './support/audio.js';
import type { Client } from './support/client.js';
import type { ConsoleClient } from './support/console-client.js';
import { createUpload, getConsoleJob, listJobIds } from './support/console-jobs.js';
import { ConsoleUsers } from './support/console-users.js';
import type { RunningService } from './support/running-service.js';
import { useSharedService } from './support/shared-service.js';
import { readMessages } from './support/sse.js';
import { until } from './support/until.js';

const SCRIPT = '<script>alert(1)</script>';

let service: RunningService;
let client: Client;
let users: ConsoleUsers;
let owner: ConsoleClient;
let member: ConsoleClient;
let viewer: ConsoleClient;
let stranger: ConsoleClient;

beforeAll(async () => {
  service = await useSharedService();
  const { account_id, api_key } = await service.openAccount(1000);
  client = await service.client(api_key);
  users = new ConsoleUsers(service, account_id);
  owner = await users.createWithPassword('owner@jobs.example.org');
  member = await users.createWithPassword('member@jobs.example.org', 'member');
  viewer = await users.createWithPassword('viewer@jobs.example.org', 'viewer');
  const other = new ConsoleUsers(service, (await service.openAccount(1000)).account_id);
  stranger = await other.createWithPassword('stranger@jobs.example.org');
});

async function transcribe(
  browser: ConsoleClient,
  bytes: Uint8Array<ArrayBuffer>,
  options: Record<string, unknown> = {},
): Promise<string> {
  const job_id = await createUpload(browser, bytes, options);
  expect((await browser.request('POST', 'upload/complete', { job_id })).body).toEqual({ status: 'queued' });
  await untilEnded(job_id);
  return job_id;
}

async function untilEnded(jobId: string): Promise<void> {
  await until('the job has ended', async () => (await getConsoleJob(viewer, jobId)).status !== 'processing');
}

function openStream(browser: ConsoleClient, jobId: string, headers: Record<string, string> = {}) {
  return fetch(`${service.baseUrl}/console/api/jobs/${jobId}/stream`, {
    headers: { cookie: browser.cookie ?? '', ...headers },
  });
}

async function readEventNames(response: Response): Promise<string[]> {
  if (!response.body) throw new Error('The stream has no body.');
  const names: string[] = [];
  for await (const { event } of readMessages(response.body)) if (event !== '') names.push(event);
  return names;
}

describe('jobs in the console', () => {
  it('a member transcribes a recording, and everybody in the account sees job, events and transcript', async () => {
    const speech = await synthesizeSpeech('Good morning.');
    const metadata = { file_name: `${SCRIPT}.wav`, customer: 'Müller' };
    const jobId = await transcribe(member, speech, { output_type: 'txt', metadata });
    const job = await getConsoleJob(viewer, jobId);
    expect(job).toMatchObject({
      status: 'completed',
      file_name: `${SCRIPT}.wav`,
      source: 'upload',
      key: null,
      created_by: { email: 'member@jobs.example.org' },
      transcript_available: true,
      options: { output_type: 'txt', word_timestamps: true },
      metadata,
      credits: expect.any(Number),
      advice: null,
    });
    expect(job.events.at(-1)).toMatchObject({ event: 'completed', at: expect.stringMatching(/Z$/) });
    expect(job.request_id).toMatch(/^[\w-]{8,64}$/);
    expect(job.credits).toBeGreaterThan(0);
    const transcript = await viewer.request('GET', `jobs/${jobId}/transcript?format=json`);
    const withKey = await client.send('GET', `/api/v1/jobs/${jobId}/transcript?format=json`);
    expect(transcript.body).toEqual(JSON.parse(withKey.text));
    expect(await readEventNames(await openStream(viewer, jobId, { 'last-event-id': '0' }))).toContain(
      'completed',
    );
    expect((await stranger.request('GET', `jobs/${jobId}/transcript`)).status).toBe(404);
    expect((await openStream(stranger, jobId)).status).toBe(404);
    expect((await stranger.request('GET', `jobs/${jobId}`)).body).toMatchObject({ code: 'job_not_found' });
    expect(await listJobIds(stranger)).toEqual([]);
  });

  it('a multipart upload works as with a key, and the job of a key names the key', async () => {
    const bytes = silentWav(1);
    const created = await member.request<{ job_id: string; parts: { part_number: number; url: string }[] }>(
      'POST',
      'upload/multipart/create',
      { file_size: bytes.length, metadata: { file_name: 'parts.wav' } },
    );
    const { job_id, parts } = created.body;
    const sent = await fetch(parts[0]?.url ?? '', { method: 'PUT', body: bytes });
    const etag = sent.headers.get('etag') ?? '';
    const complete = { job_id, parts: [{ part_number: 1, etag }] };
    expect((await member.request('POST', 'upload/multipart/complete', complete)).status).toBe(200);
    await untilEnded(job_id);
    const aborted = await member.request('POST', 'upload/multipart/create', { file_size: 10 });
    const abort = { job_id: aborted.body.job_id };
    expect((await member.request('POST', 'upload/multipart/abort', abort)).body).toEqual({
      status: 'aborted',
    });
    const ofKey = await client.create({ file_size: 10 });
    const { key, created_by } = await getConsoleJob(viewer, ofKey.job_id);
    expect(key?.name).toBe('first key');
    expect(created_by).toBeNull();
    expect(await listJobIds(viewer, `?key_id=${key?.id}`)).toEqual([ofKey.job_id]);
  });

  it('repeating a request with its idempotency key creates one job', async () => {
    const headers = { 'idempotency-key': 'of-the-browser' };
    const body = { file_size: 100 };
    const first = await member.request('POST', 'upload', body, headers);
    const again = await member.request('POST', 'upload', body, headers);
    expect(again.body.job_id).toBe(first.body.job_id);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await member.request('POST', 'upload/progress', { job_id: first.body.job_id })).body).toEqual({
      status: 'active',
    });
  });

  it('a member cancels a job, which is in the audit log; a viewer and other accounts cannot', async () => {
    const jobId = await createUpload(member, silentWav(1));
    expect((await viewer.request('POST', `jobs/${jobId}/cancel`)).status).toBe(403);
    expect((await stranger.request('POST', `jobs/${jobId}/cancel`)).status).toBe(404);
    expect((await getConsoleJob(viewer, jobId)).status).toBe('processing');
    expect((await member.request('POST', `jobs/${jobId}/cancel`)).body).toEqual({ status: 'cancelled' });
    expect((await member.request('POST', `jobs/${jobId}/cancel`)).body).toEqual({ status: 'failed' });
    expect(await getConsoleJob(viewer, jobId)).toMatchObject({ failed_stage: 'cancelled', advice: null });
    const audit = await owner.request('GET', `audit?action=job.cancelled&target=${jobId}`);
    expect(audit.body).toMatchObject({
      events: [{ actor: { kind: 'user', name: 'member@jobs.example.org' } }],
    });
    expect((audit.body['events'] as object[]).length).toBe(1);
  });

  it('a failed job says what to do', async () => {
    const jobId = await transcribe(member, new TextEncoder().encode('no audio at all'.repeat(100)));
    const { failed_stage, advice, events } = await getConsoleJob(viewer, jobId);
    expect(failed_stage).toBe('preprocess');
    expect(advice).toContain('Check that the file plays');
    expect(Object.keys(events.at(-1)?.data ?? {}).toSorted()).toEqual(['reason', 'step']);
  });

  it('a member names speakers, with script that stays text, and the audit log has who it was, without the names', async () => {
    const jobId = await transcribe(member, await synthesizeSpeech('Good morning.'));
    const speakers = { SPEAKER_1: SCRIPT };
    expect((await viewer.request('PATCH', `jobs/${jobId}/speakers`, { speakers })).status).toBe(403);
    expect((await stranger.request('PATCH', `jobs/${jobId}/speakers`, { speakers })).status).toBe(404);
    expect((await member.request('PATCH', `jobs/${jobId}/speakers`, { speakers })).body).toMatchObject({
      speakers,
    });
    const audit = await owner.request('GET', `audit?action=job.speakers_named&target=${jobId}`);
    expect(audit.body).toMatchObject({ events: [{ details: { speakers: ['SPEAKER_1'] } }] });
    expect(JSON.stringify(audit.body)).not.toContain(SCRIPT);
    const { headers } = await viewer.request('GET', `jobs/${jobId}/transcript`);
    expect(headers.get('content-type')).toContain('application/json');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('an open stream of a session', () => {
  it.each<[string, (userId: string, browser: ConsoleClient) => Promise<unknown>]>([
    ['the user signs out', (_, browser) => browser.request('POST', 'sign-out')],
    ['the role changes', (userId) => owner.request('PUT', `members/${userId}/role`, { role: 'viewer' })],
    ['the membership ends', (userId) => owner.request('DELETE', `members/${userId}`)],
  ])('ends when %s, and not before', async (reason, change) => {
    const browser = await users.createWithPassword(
      `${reason.replaceAll(' ', '-')}@jobs.example.org`,
      'member',
    );
    const { body } = await browser.request<{ user: { id: string } }>('GET', 'session');
    const jobId = await createUpload(browser, silentWav(1));
    const response = await openStream(browser, jobId);
    expect(response.status).toBe(200);
    let hasEnded = false;
    const ended = readEventNames(response).finally(() => (hasEnded = true));
    expect((await getConsoleJob(browser, jobId)).status).toBe('processing');
    expect(hasEnded).toBe(false);
    await change(body.user.id, browser);
    expect(await ended).not.toContain('failed');
    expect((await getConsoleJob(viewer, jobId)).status).toBe('processing');
  });
});

describe('a suspended account', () => {
  it('its users see their jobs and create none', async () => {
    const { account_id } = await service.openAccount(10);
    const browser = await new ConsoleUsers(service, account_id).createWithPassword(
      'suspended@jobs.example.org',
    );
    const jobId = await createUpload(browser, silentWav(1));
    await service.adminJson('accounts', 'suspend', account_id, '--json');
    expect((await browser.request('GET', `jobs/${jobId}`)).status).toBe(200);
    expect(await browser.request('POST', 'upload', { file_size: 1 })).toMatchObject({
      status: 403,
      body: { code: 'permission_denied', detail: expect.stringContaining('suspended') },
    });
  });
});
