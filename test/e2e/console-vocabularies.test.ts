import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { silentWav } from './support/audio.js';
import type { Client } from './support/client.js';
import type { ConsoleClient } from './support/console-client.js';
import { ConsoleUsers } from './support/console-users.js';
import { createMultipart } from './support/multipart.js';
import { createOpenAiClient, toWavFile } from './support/openai.js';
import { expectInvalidFields } from './support/problem.js';
import type { RunningService } from './support/running-service.js';
import { useSharedService } from './support/shared-service.js';
import { transcribeStreamed } from './support/streamed-transcription.js';

let service: RunningService;
let accountId: string;
let apiKey: string;
let member: ConsoleClient;
let caller: Client;

beforeAll(async () => {
  service = await useSharedService();
  const account = await service.openAccount(1_000);
  [accountId, apiKey] = [account.account_id, account.api_key];
  member = await new ConsoleUsers(service, accountId).createWithPassword(
    'member@vocabularies.example.org',
    'member',
  );
  caller = await service.client(apiKey);
});
async function save(name: string, terms: string[]): Promise<string> {
  const { status, body } = await member.request('POST', 'vocabularies', { name, terms });
  expect(status).toBe(200);
  return String(body.id);
}

async function readTerms(jobId: string): Promise<unknown> {
  const { body } = await member.request<{ options: { custom_vocabulary: unknown } }>('GET', `jobs/${jobId}`);
  return body.options.custom_vocabulary;
}

async function readTermsOfNewestJob(): Promise<unknown> {
  const { body } = await member.request<{ jobs: { job_id: string }[] }>('GET', 'jobs?limit=1');
  return readTerms(body.jobs[0]?.job_id ?? '');
}

describe('the vocabularies of an account', () => {
  it('are created, read, changed and deleted by members, and recorded without their terms', async () => {
    const id = await save('People', ['Ada Lovelace', ' Grüße ', 'Ada Lovelace']);
    expect((await member.request('GET', `vocabularies/${id}`)).body).toEqual({
      id,
      name: 'People',
      terms: ['Ada Lovelace', 'Grüße'],
      updated_at: expect.stringMatching(/Z$/),
    });
    const change = { name: 'Places', terms: ['Ulm'] };
    expect((await member.request('PUT', `vocabularies/${id}`, change)).status).toBe(204);
    expect((await member.request('GET', 'vocabularies')).body).toMatchObject({
      vocabularies: [{ id, name: 'Places', term_count: 1 }],
    });
    expect((await member.request('DELETE', `vocabularies/${id}`)).status).toBe(204);
    expect((await member.request('GET', 'vocabularies')).body).toEqual({ vocabularies: [] });
    const events = await service.adminJson<{ action: string; details: object }[]>(
      'audit',
      '--account',
      accountId,
      '--action',
      'vocabulary.',
      '--json',
    );
    expect(events.map(({ action }) => action)).toEqual([
      'vocabulary.deleted',
      'vocabulary.changed',
      'vocabulary.created',
    ]);
    expect(JSON.stringify(events)).not.toContain('Lovelace');
  });

  it('are not changed if somebody else has changed them meanwhile', async () => {
    const id = await save('Shared', ['Ada']);
    const read = async () =>
      (await member.request<{ terms: string[]; updated_at: string }>('GET', `vocabularies/${id}`)).body;
    const change = (terms: string[], replaces?: unknown) =>
      member.request('PUT', `vocabularies/${id}`, { name: 'Shared', terms, replaces });
    const { updated_at: seen } = await read();
    expect((await change(['Ada', 'Grace'], seen)).status).toBe(204);
    expect(await change(['Ada', 'Zoe'], seen)).toMatchObject({
      status: 409,
      body: { code: 'vocabulary_changed' },
    });
    expect((await read()).terms).toEqual(['Ada', 'Grace']);
    // Such as after a lost response.
    expect((await change(['Ada', 'Grace'], seen)).status).toBe(204);
    expect((await change(['Ada', 'Zoe'], (await read()).updated_at)).status).toBe(204);
    expect((await change(['Ada'])).status).toBe(204);
    expect(await change(['Ada'], 7)).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'replaces' }] },
    });
  });

  it.each([
    ['name', { name: '', terms: ['a'] }],
    ['name', { name: 'a\nb', terms: ['a'] }],
    ['name', { name: 7, terms: ['a'] }],
    ['terms', { name: 'x', terms: [] }],
    ['terms', { name: 'x', terms: 'a' }],
    ['terms', { name: 'x', terms: ['x'.repeat(101)] }],
    ['terms', { name: 'x', terms: Array.from({ length: 1_001 }, (_, at) => `t${at}`) }],
  ])('the invalid field %s of %j is named', async (field, body) => {
    expect(await member.request('POST', 'vocabularies', body)).toMatchObject({
      status: 422,
      body: { errors: [{ field }] },
    });
  });
});

describe('the job option vocabulary', () => {
  it('adds the terms of the vocabulary on every route that creates a job', async () => {
    await save('Newsroom', ['Ada', 'Grace']);
    const { job_id } = await caller.create({
      file_size: 1,
      vocabulary: 'Newsroom',
      custom_vocabulary: ['Zoe', 'Ada'],
    });
    expect(await readTerms(job_id)).toEqual(['Zoe', 'Ada', 'Grace']);
    const multipart = await createMultipart(caller, { file_size: 10, vocabulary: 'Newsroom' });
    expect(await readTerms(multipart.job_id)).toEqual(['Ada', 'Grace']);
    const stream = await transcribeStreamed(
      caller,
      silentWav(1),
      '?vocabulary=Newsroom&custom_vocabulary=Ulm',
    );
    for await (const message of stream.messages()) void message;
    expect(await readTermsOfNewestJob()).toEqual(['Ulm', 'Ada', 'Grace']);
    const openAi = await createOpenAiClient(service, apiKey);
    await openAi.audio.transcriptions.create({
      file: await toWavFile(silentWav(1)),
      model: 'zephyr',
      ...{ vocabulary: 'Newsroom' },
    });
    expect(await readTermsOfNewestJob()).toEqual(['Ada', 'Grace']);
    const created = await member.request('POST', 'upload', { file_size: 1, vocabulary: 'Newsroom' });
    expect(await readTerms(String(created.body.job_id))).toEqual(['Ada', 'Grace']);
  });

  it('keeps the terms of a job when its vocabulary is changed or deleted', async () => {
    const id = await save('Later', ['before']);
    const { job_id } = await caller.create({ file_size: 1, vocabulary: 'Later' });
    await member.request('PUT', `vocabularies/${id}`, { name: 'Later', terms: ['after'] });
    expect(await readTerms(job_id)).toEqual(['before']);
    await member.request('DELETE', `vocabularies/${id}`);
    expect(await readTerms(job_id)).toEqual(['before']);
  });

  it('is refused, and named, if it is unknown, of another account, malformed, or too large with the terms of the request', async () => {
    await save(
      'Large',
      Array.from({ length: 1_000 }, (_, at) => `t${at}`),
    );
    const stranger = await service.client((await service.openAccount(100)).api_key);
    const create = (body: object, by = caller) => by.post('/upload', { file_size: 1, ...body });
    const unknown = await create({ vocabulary: 'large' });
    expectInvalidFields(unknown, 'vocabulary');
    expect(unknown.text).toContain('did you mean Large?');
    expectInvalidFields(await create({ vocabulary: 'Large' }, stranger), 'vocabulary');
    expectInvalidFields(await create({ vocabulary: '' }), 'vocabulary');
    expectInvalidFields(await create({ vocabulary: ['Large'] }), 'vocabulary');
    expectInvalidFields(await create({ vocabulary: 'Large', custom_vocabulary: ['more'] }), 'vocabulary');
    expect((await create({ vocabulary: 'Large', custom_vocabulary: ['t7'] })).status).toBe(200);
    expect((await create({ vocabulary: null })).status).toBe(200);
  });
});

describe('operator commands: vocabularies', () => {
  it('save, list, show and delete the vocabularies of an account', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vocabulary-'));
    const file = join(folder, 'terms.txt');
    await writeFile(file, 'Ada\r\n\n Grace \n');
    const run = (...args: string[]) =>
      service.adminJson<object>('vocabularies', ...args, '--account', accountId, '--json');
    try {
      await run('save', 'From a file', '--file', file);
      expect(await run('show', 'From a file')).toEqual({ name: 'From a file', terms: ['Ada', 'Grace'] });
      await writeFile(file, 'Ulm');
      await run('save', 'From a file', '--file', file);
      expect(await run('list')).toContainEqual(expect.objectContaining({ name: 'From a file', terms: 1 }));
      await run('delete', 'From a file');
      const gone = await service.admin('vocabularies', 'show', 'From a file', '--account', accountId);
      expect(gone).toMatchObject({ code: 1, stderr: 'The account has no vocabulary From a file.\n' });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
