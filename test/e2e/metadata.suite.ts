import { beforeAll, describe, expect, it } from 'vitest';
import { silentWav } from './support/audio.js';
import { type Client, expectStatus } from './support/client.js';
import { completeMultipart, createMultipart, putPart } from './support/multipart.js';
import { createOpenAiClient, toWavFile } from './support/openai.js';
import {
  collectMessages,
  transcribeStreamed,
  openTranscribeRequest,
  readErrorResponse,
} from './support/streamed-transcription.js';
import { expectInvalidFields, expectProblem } from './support/problem.js';
import { WebhookReceiver } from './support/webhook-receiver.js';
import type { Service } from './support/service.js';
import { until } from './support/until.js';

const SECRET = 'planted-4f1c';
const METADATA = { file: `${SECRET}.mp3`, 'customer.id': '4711' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

interface Row {
  job_id: string;
  created_at: string;
  [field: string]: unknown;
}

/** Requires a service that admits webhooks to 127.0.0.9. */
export function describeMetadata(getService: () => Service): void {
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    service = getService();
    client = await service.client((await service.openAccount(1_000)).api_key);
  });

  const list = async (query: string, caller = client) =>
    expectStatus<{ jobs: Row[]; next_before: string | null }>(
      200,
      await caller.send('GET', `/api/v1/jobs${query}`),
    );
  const listIds = async (query: string) => (await list(query)).jobs.map(({ job_id }) => job_id);

  describe('metadata of a job', () => {
    it('sent with an upload is in the retrieval, the completed event and the webhook', async () => {
      const receiver = await WebhookReceiver.start('127.0.0.9');
      try {
        const callback_url = receiver.reply('/metadata', 200);
        const { job_id } = await client.submit(silentWav(2), { metadata: METADATA, callback_url });
        const completed = (await client.events(job_id)).at(-1);
        expect(completed).toMatchObject({ name: 'completed', data: { job_id, metadata: METADATA } });
        expect(await client.job(job_id)).toMatchObject({
          status: 'completed',
          metadata: METADATA,
          output_type: 'json',
          duration_seconds: 2,
          created_at: expect.stringMatching(/Z$/),
          completed_at: expect.stringMatching(/Z$/),
        });
        const [delivery] = await until('the webhook arrived', async () => {
          const received = receiver.requestsTo('/metadata');
          return received.length > 0 ? received : undefined;
        });
        const body = JSON.parse(String(delivery?.body)) as object;
        expect(body).toEqual({
          job_id,
          status: 'completed',
          download_url: expect.stringMatching(/^http/),
          metadata: METADATA,
        });
      } finally {
        await receiver.close();
      }
    });

    it('is accepted by every other route that creates a job', async () => {
      const multipart = await createMultipart(client, { file_size: 10, metadata: { way: 'multipart' } });
      const part = await putPart(client, multipart, 1, silentWav(1));
      expectStatus(200, await completeMultipart(client, multipart.job_id, [part]));
      const stream = await transcribeStreamed(
        client,
        silentWav(1),
        '?metadata.way=transcribe&metadata[name]=a%20b',
      );
      const streamed = await collectMessages(stream);
      const completed = streamed.find(({ event }) => event === 'completed');
      expect(JSON.parse(completed?.data ?? '{}')).toMatchObject({
        metadata: { way: 'transcribe', name: 'a b' },
      });
      const official = await createOpenAiClient(service, client.apiKey ?? '');
      await official.audio.transcriptions.create({
        file: await toWavFile(silentWav(1)),
        model: 'whisper-1',
        ...{ metadata: { way: 'openai' } },
      });
      const rows = await list('?fields=metadata&limit=3');
      expect(rows.jobs.map(({ metadata }) => metadata)).toEqual([
        { way: 'openai' },
        { way: 'transcribe', name: 'a b' },
        { way: 'multipart' },
      ]);
    });

    it('answers 422 naming every invalid entry, on every route', async () => {
      const invalidMetadata = { 'a b': 'x', long: 'x'.repeat(201), right: 'x', number: 1, line: 'a\nb' };
      const fields = ['metadata.a b', 'metadata.long', 'metadata.number', 'metadata.line'];
      expectInvalidFields(
        await client.post('/upload', { file_size: 0, metadata: invalidMetadata }),
        'file_size',
        ...fields,
      );
      expectInvalidFields(
        await client.post('/upload/multipart/create', { file_size: 1, metadata: invalidMetadata }),
        ...fields,
      );
      const seventeenEntries = Object.fromEntries(
        Array.from({ length: 17 }, (_, index) => [`k${index}`, '']),
      );
      expectInvalidFields(
        await client.post('/upload', { file_size: 1, metadata: seventeenEntries }),
        'metadata',
      );
      expectInvalidFields(await client.post('/upload', { file_size: 1, metadata: ['a'] }), 'metadata');
      const request = openTranscribeRequest(client, '?metadata.a=1&metadata.a=2&metadata.b%20c=1');
      request.end(silentWav(1));
      expectInvalidFields(await readErrorResponse(request), 'metadata.a', 'metadata.b c');
      const official = await createOpenAiClient(service, client.apiKey ?? '');
      const pendingTranscription = official.audio.transcriptions.create({
        file: await toWavFile(silentWav(1)),
        model: 'whisper-1',
        ...{ metadata: { 'a b': 'x' } },
      });
      await expect(pendingTranscription).rejects.toMatchObject({ status: 400, param: 'metadata.a b' });
    });

    it('is part of the fingerprint of an idempotent request', async () => {
      const create = (metadata: object) =>
        client.send('POST', '/api/v1/upload', {
          headers: { ...JSON_TYPE, 'Idempotency-Key': 'metadata-key' },
          body: JSON.stringify({ file_size: 1, metadata }),
        });
      const first = expectStatus(200, await create({ a: '1', b: '2' }));
      expect(expectStatus(200, await create({ b: '2', a: '1' }))).toEqual(first);
      expectProblem(await create({ a: '1', b: '3' }), 422, 'idempotency_key_reused');
    });

    it('is never logged', async () => {
      expect(await service.log()).not.toContain(SECRET);
    });
  });

  describe('filters and fields of the list', () => {
    let caller: Client;
    let [failed, completed, open] = ['', '', ''];

    beforeAll(async () => {
      caller = client;
      client = await service.client((await service.openAccount(1_000)).api_key);
      failed = (await client.create({ file_size: 1, metadata: { team: 'a', name: '1' } })).job_id;
      expectStatus(200, await client.post('/jobs/cancel', { job_id: failed }));
      completed = (
        await client.submit(silentWav(1), { output_type: 'txt', metadata: { team: 'a', name: '2' } })
      ).job_id;
      await client.events(completed);
      open = (await client.create({ file_size: 1, metadata: { team: 'b', name: '3' } })).job_id;
    });

    it('rows have only the specified fields unless fields requests more', async () => {
      for (const query of ['', '?status=failed', '?metadata.team=a'])
        for (const row of (await list(query)).jobs)
          expect(Object.keys(row)).toEqual(['job_id', 'created_at']);
      const fields = 'status,output_type,metadata,duration_seconds,completed_at,failed_stage,reason';
      expect((await list(`?fields=${fields}`)).jobs.slice(1)).toEqual([
        {
          job_id: completed,
          created_at: expect.any(String),
          status: 'completed',
          output_type: 'txt',
          metadata: { team: 'a', name: '2' },
          duration_seconds: 1,
          completed_at: (await client.job(completed)).completed_at,
          failed_stage: null,
          reason: null,
        },
        {
          job_id: failed,
          created_at: expect.any(String),
          status: 'failed',
          output_type: 'json',
          metadata: { team: 'a', name: '1' },
          duration_seconds: null,
          completed_at: null,
          failed_stage: 'cancelled',
          reason: expect.any(String),
        },
      ]);
    });

    it('jobs can be filtered by status, by metadata, and by both', async () => {
      expect(await listIds('?status=failed')).toEqual([failed]);
      expect(await listIds('?status=completed')).toEqual([completed]);
      expect(await listIds('?status=processing')).toEqual([open]);
      expect(await listIds('?metadata.team=a')).toEqual([completed, failed]);
      expect(await listIds('?metadata[team]=a&metadata.name=1')).toEqual([failed]);
      expect(await listIds('?metadata.team=a&metadata.name=3')).toEqual([]);
      expect(await listIds('?metadata.team=a&status=completed')).toEqual([completed]);
    });

    it('pages of a filtered list contain each job once', async () => {
      const first = await list('?metadata.team=a&limit=1');
      const second = await list(`?metadata.team=a&limit=1&before=${first.next_before}`);
      expect([...first.jobs, ...second.jobs].map(({ job_id }) => job_id)).toEqual([completed, failed]);
      expect(second.next_before).toBeNull();
    });

    it('no filter returns jobs of another account', async () => {
      for (const query of [
        '?status=failed',
        '?metadata.team=a',
        '?metadata.team=a&status=failed&fields=metadata',
      ]) {
        const { jobs } = await list(query, caller);
        const listedIds = jobs.map(({ job_id }) => job_id);
        expect(listedIds).not.toEqual(expect.arrayContaining([failed]));
      }
    });

    it.each([
      ['status=done', 'status'],
      ['fields=status,size', 'fields'],
      ['metadata.a%20b=1', 'metadata.a b'],
      ['metadata=1', 'metadata'],
    ])('the invalid query %s answers 400 and names %s', async (query, field) => {
      const { errors } = expectProblem(
        await client.send('GET', `/api/v1/jobs?${query}`),
        400,
        'invalid_parameter',
      );
      expect(errors?.map((error) => error.field)).toEqual([field]);
    });
  });
}
