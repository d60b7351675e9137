import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { silentWav, synthesizeSpeech } from './support/audio.js';
import type { ConsoleClient } from './support/console-client.js';
import { createUpload, getConsoleJob, listJobIds } from './support/console-jobs.js';
import { ConsoleUsers } from './support/console-users.js';
import type { RunningService } from './support/running-service.js';
import { useSharedService } from './support/shared-service.js';
import { until } from './support/until.js';

const SCRIPT = '<script>alert(1)</script>';

let service: RunningService;
let owner: ConsoleClient;
let member: ConsoleClient;
let viewer: ConsoleClient;
let stranger: ConsoleClient;
let sampleId: string;

beforeAll(async () => {
  service = await useSharedService();
  const users = new ConsoleUsers(service, (await service.openAccount(1000)).account_id);
  owner = await users.createWithPassword('owner@job-changes.example.org');
  member = await users.createWithPassword('member@job-changes.example.org', 'member');
  viewer = await users.createWithPassword('viewer@job-changes.example.org', 'viewer');
  const other = new ConsoleUsers(service, (await service.openAccount(1000)).account_id);
  stranger = await other.createWithPassword('stranger@job-changes.example.org');
  expect((await viewer.request('POST', 'jobs/sample')).status).toBe(403);
  const { status, body } = await member.request<{ job_id: string }>('POST', 'jobs/sample');
  expect(status).toBe(200);
  sampleId = body.job_id;
  await until('the sample is transcribed', async () => (await statusOf(sampleId)) === 'completed', 100_000);
});

async function statusOf(jobId: string): Promise<string> {
  return (await getConsoleJob(viewer, jobId)).status;
}

async function listCorrections(browser: ConsoleClient) {
  return (await browser.request<{ corrections: { text: string }[] }>('GET', `jobs/${sampleId}/corrections`))
    .body;
}

async function countStoredFiles(jobId: string): Promise<number> {
  const paths = await readdir(join(service.dataDir), { recursive: true });
  return paths.filter((path) => path.includes(jobId)).length;
}

describe('the sample', () => {
  it('is transcribed for the member who asked for it, and its audio can be played', async () => {
    expect(await getConsoleJob(viewer, sampleId)).toMatchObject({
      file_name: 'dialogue.mp3',
      created_by: { email: 'member@job-changes.example.org' },
      transcript_available: true,
    });
    const audio = await fetch(`${service.baseUrl}/console/api/sample-audio`, {
      headers: { cookie: viewer.cookie ?? '' },
    });
    expect(audio.headers.get('content-type')).toBe('audio/mpeg');
    expect((await audio.arrayBuffer()).byteLength).toBeGreaterThan(500_000);
  });
});

describe('corrections of a transcript', () => {
  it('are kept beside the original, with script that stays text, and are in the audit log', async () => {
    const path = `jobs/${sampleId}/corrections/1`;
    const original = await viewer.request('GET', `jobs/${sampleId}/transcript`);
    expect((await member.request('PUT', path, { text: 'first' })).status).toBe(204);
    expect((await owner.request('PUT', path, { text: SCRIPT })).status).toBe(204);
    expect(await listCorrections(viewer)).toMatchObject({
      corrections: [{ segment: 1, text: SCRIPT, updated_by: { email: 'owner@job-changes.example.org' } }],
    });
    expect((await viewer.request('GET', `jobs/${sampleId}/transcript`)).body).toEqual(original.body);
    const audit = await owner.request('GET', `audit?action=job.segment_corrected&target=${sampleId}`);
    expect(audit.body).toMatchObject({ events: [{ details: { segment: 1 } }, { details: { segment: 1 } }] });
    expect((await viewer.request('PUT', path, { text: 'x' })).status).toBe(403);
    expect((await stranger.request('PUT', path, { text: 'x' })).status).toBe(404);
    expect((await stranger.request('GET', `jobs/${sampleId}/corrections`)).status).toBe(404);
    expect((await stranger.request('PUT', path, { text: null })).status).toBe(404);
    expect((await member.request('PUT', path, { text: null })).status).toBe(204);
    // Without a correction it changes nothing.
    expect((await member.request('PUT', path, { text: null })).status).toBe(204);
    expect(await listCorrections(viewer)).toEqual({ corrections: [] });
  });

  it('by two members at a time tell the second one, who loses and overwrites nothing', async () => {
    const save = (text: string | null, replaces: string | null) =>
      member.request('PUT', `jobs/${sampleId}/corrections/1`, { text, replaces });
    const changed = { status: 409, body: { code: 'correction_changed' } };
    const listTexts = async () => (await listCorrections(viewer)).corrections.map((each) => each.text);
    expect((await save('first', null)).status).toBe(204);
    for (const [text, seen] of [
      ['second', null],
      ['second', 'another'],
      [null, 'another'],
      [null, null],
    ] as const) {
      expect(await save(text, seen)).toMatchObject(changed);
      expect(await listTexts()).toEqual(['first']);
    }
    expect((await save('first', null)).status, 'the same text is no difference').toBe(204);
    expect((await save('second', 'first')).status).toBe(204);
    expect(await listTexts()).toEqual(['second']);
    expect((await save(null, 'second')).status).toBe(204);
    expect((await save(null, 'second')).status, 'nothing is left to remove').toBe(204);
    expect(await save('third', 'second')).toMatchObject(changed);
    expect(await listTexts()).toEqual([]);
  });

  it('of segments that the transcript does not have are rejected', async () => {
    const save = (segment: string, text: string) =>
      member.request('PUT', `jobs/${sampleId}/corrections/${segment}`, { text });
    expect(await save('9999', 'x')).toMatchObject({ status: 422, body: { errors: [{ field: 'segment' }] } });
    expect(await save('0', '')).toMatchObject({ status: 422, body: { errors: [{ field: 'text' }] } });
    expect((await save('-1', 'x')).status).toBe(404);
  });
});

describe('deleting a job', () => {
  it('removes its row, transcript and audio, but no entry of the ledger, and is in the audit log', async () => {
    const speech = await synthesizeSpeech('There are ninety tables between the office and the bridge.');
    const jobId = await createUpload(member, speech, { metadata: { file_name: 'dialogue.wav' } });
    expect((await member.request('POST', 'upload/complete', { job_id: jobId })).status).toBe(200);
    await until('the job is completed', async () => (await statusOf(jobId)) === 'completed', 60_000);
    expect(
      (await member.request('PUT', `jobs/${jobId}/corrections/0`, { text: 'correct text' })).status,
    ).toBe(204);
    expect(await countStoredFiles(jobId)).toBeGreaterThan(0);
    const ledger = await viewer.request('GET', 'ledger');
    expect((await viewer.request('DELETE', `jobs/${jobId}`)).status).toBe(403);
    expect((await stranger.request('DELETE', `jobs/${jobId}`)).status).toBe(404);
    expect((await member.request('DELETE', `jobs/${jobId}`)).status).toBe(204);
    expect((await member.request('DELETE', `jobs/${jobId}`)).status).toBe(404);
    expect((await viewer.request('GET', `jobs/${jobId}`)).status).toBe(404);
    expect(await listJobIds(viewer)).not.toContain(jobId);
    expect(await countStoredFiles(jobId)).toBe(0);
    expect((await viewer.request('GET', 'ledger')).body).toEqual(ledger.body);
    const audit = await owner.request('GET', `audit?target=${jobId}`);
    expect(audit.body.events, 'nothing of what was sent stays').toMatchObject([
      { action: 'job.deleted', details: {} },
      { action: 'job.segment_corrected', details: { segment: 0 } },
    ]);
    expect(JSON.stringify(audit.body)).not.toMatch(/dialogue|correct text/);
  });

  it('cancels a job that has not ended', async () => {
    const jobId = await createUpload(member, silentWav(1));
    expect((await member.request('DELETE', `jobs/${jobId}`)).status).toBe(204);
    expect((await viewer.request('GET', `jobs/${jobId}`)).status).toBe(404);
    expect(await countStoredFiles(jobId)).toBe(0);
  });
});
