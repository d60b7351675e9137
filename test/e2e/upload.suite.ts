import { beforeAll, describe, expect, it } from 'vitest';
import { type Bytes, silentWav, synthesizeSpeech, splitWords } from './support/audio.js';
import { type Client, expectStatus } from './support/client.js';
import { listStoredFiles, waitUntilBeingStored } from './support/data-dir.js';
import { expectTranscriptDocument } from './support/transcript-document.js';
import { expectContiguous, isTerminal } from './support/events.js';
import { expectInvalidFields, expectProblem } from './support/problem.js';
import { startSlowPut } from './support/slow-put.js';
import type { Service } from './support/service.js';
import { until } from './support/until.js';

const TEXT = 'I can see the library from the small mountain.';
/** The service must be started with this limit. */
export const MAX_UPLOAD_BYTES = 200_000;
const UNKNOWN = '0193a5c0-0000-7000-8000-000000000000';

let service: Service;
let client: Client;
let audio: Bytes;
/** For jobs whose text does not matter. */
const silence = silentWav(1);

export function describeUpload(getService: () => Service): void {
  beforeAll(async () => {
    service = getService();
    client = await service.client();
    audio = await synthesizeSpeech(TEXT);
  });

  describe('§4.3 POST /upload/complete', () => {
    it('without bytes or after an empty PUT answers 400 and the upload stays open', async () => {
      const { job_id, upload_url, content_type } = await client.create({ file_size: silence.length });
      expectProblem(await client.complete(job_id), 400, 'upload_incomplete');
      await client.put(upload_url, new Uint8Array(), content_type);
      expectProblem(await client.complete(job_id), 400, 'upload_incomplete');
      expect((await client.put(upload_url, silence, content_type)).status).toBe(200);
      expect(expectStatus(200, await client.complete(job_id))).toEqual({ status: 'queued' });
    });

    it('answers 404 for an unknown id and 422 for an invalid or missing one', async () => {
      expectProblem(await client.complete(UNKNOWN), 404, 'job_not_found');
      expectInvalidFields(await client.complete('no-uuid'), 'job_id');
      expectInvalidFields(await client.post('/upload/complete', {}), 'job_id');
    });

    it('many concurrent calls queue one job, which runs and ends once', async () => {
      const { job_id } = await client.upload(audio);
      const responses = await service.whileStopped('processor', () =>
        Promise.all(Array.from({ length: 12 }, () => client.complete(job_id))),
      );
      const statuses = responses.map((response) => expectStatus<{ status: string }>(200, response).status);
      expect(statuses.filter((status) => status === 'queued')).toHaveLength(1);
      expect(statuses.filter((status) => status === 'processing')).toHaveLength(11);
      expectContiguous(await client.events(job_id));
      const { events, stages } = await service.adminJson<{
        events: { type: string }[];
        stages: { name: string; attempts: number }[];
      }>('jobs', 'show', job_id, '--json');
      expect(events.filter(({ type }) => ['completed', 'failed'].includes(type))).toHaveLength(1);
      expect(stages.map(({ name, attempts }) => `${name} ${attempts}`)).toEqual([
        'preprocess 1',
        'chunk:0 1',
        'aggregation 1',
      ]);
    });

    it('rejects a later or concurrent PUT and transcribes the completed bytes', async () => {
      const { job_id, upload_url, content_type, download_url } = await client.upload(audio);
      const slow = startSlowPut(upload_url, content_type, silentWav(3).length);
      await waitUntilBeingStored(service.dataDir, () => slow.send(silentWav(1)));
      await client.complete(job_id);
      await slow.send(silentWav(3).slice(silentWav(1).length));
      for (const late of [
        await slow.pendingResponse,
        await client.put(upload_url, silentWav(3), content_type),
      ])
        expect(expectProblem(late, 403, 'upload_closed').detail).toMatch(/completed/);
      expect((await client.events(job_id)).at(-1)?.name).toBe('completed');
      const { text } = expectTranscriptDocument((await client.download(download_url)).text, job_id);
      expect(splitWords(text)).toEqual(splitWords(TEXT));
    });

    it('§8 a PUT over the limit is rejected, and the complete call finds no bytes', async () => {
      const { job_id, upload_url, content_type } = await client.create({ file_size: 1000 });
      expectProblem(
        await client.put(upload_url, new Uint8Array(MAX_UPLOAD_BYTES + 1), content_type),
        413,
        'file_too_large',
      );
      expectProblem(await client.complete(job_id), 400, 'upload_incomplete');
    });

    it('with fewer bytes than declared answers 400 with both sizes and the upload stays open', async () => {
      const { job_id, upload_url, content_type, download_url } = await client.create({
        file_size: audio.length,
      });
      expect((await client.put(upload_url, audio.slice(0, 20_000), content_type)).status).toBe(200);
      const { detail } = expectProblem(await client.complete(job_id), 400, 'upload_incomplete');
      expect(detail).toContain(`20000 of ${audio.length} bytes arrived`);
      expect((await client.job(job_id)).status).toBe('processing');
      expect((await client.put(upload_url, audio, content_type)).status).toBe(200);
      expect(expectStatus(200, await client.complete(job_id))).toEqual({ status: 'queued' });
      expect((await client.events(job_id)).at(-1)?.name).toBe('completed');
      const { text } = expectTranscriptDocument((await client.download(download_url)).text, job_id);
      expect(splitWords(text)).toEqual(splitWords(TEXT));
    });

    it('accepts more bytes than declared', async () => {
      const { job_id, upload_url, content_type, download_url } = await client.create({ file_size: 1 });
      expect((await client.put(upload_url, audio, content_type)).status).toBe(200);
      await client.complete(job_id);
      expect((await client.events(job_id)).some(isTerminal)).toBe(true);
      const { text } = expectTranscriptDocument((await client.download(download_url)).text, job_id);
      expect(splitWords(text)).toEqual(splitWords(TEXT));
    });
  });

  describe('§4.2 POST /upload/progress', () => {
    it('returns active while the upload is pending, then the status of the job', async () => {
      const { job_id, upload_url, content_type } = await client.create({ file_size: silence.length });
      expect(expectStatus(200, await client.progress(job_id))).toEqual({ status: 'active' });
      await client.put(upload_url, silence, content_type);
      expect(expectStatus(200, await client.progress(job_id))).toEqual({ status: 'active' });
      await client.complete(job_id);
      expect(['processing', 'completed']).toContain(
        expectStatus<{ status: string }>(200, await client.progress(job_id)).status,
      );
      await client.events(job_id);
      expect(expectStatus(200, await client.progress(job_id))).toEqual({ status: 'completed' });
    });
  });

  describe('signed upload URLs', () => {
    it('answer 403 to any request but the signed one', async () => {
      const { upload_url, content_type, download_url } = await client.upload(audio);
      const modifyUrl = (originalUrl: string, change: (url: URL) => void) => {
        const url = new URL(originalUrl);
        change(url);
        return url.href;
      };
      const names = [...new URL(upload_url).searchParams.keys()];
      expect(names.length).toBeGreaterThan(1);
      for (const name of names) {
        const other = modifyUrl(upload_url, (url) =>
          url.searchParams.set(name, `${url.searchParams.get(name)}1`),
        );
        expectProblem(await client.put(other, audio, content_type), 403, 'signature_mismatch');
        const without = modifyUrl(upload_url, (url) => url.searchParams.delete(name));
        expectProblem(await client.put(without, audio, content_type), 403, 'signature_mismatch');
      }
      const typed = expectProblem(
        await client.put(upload_url, audio, 'audio/wav'),
        403,
        'content_type_mismatch',
      );
      for (const type of [content_type, 'audio/wav']) expect(typed.detail).toContain(type);
      const untyped = expectProblem(await client.put(upload_url, audio, ''), 403, 'content_type_mismatch');
      expect(untyped.detail).toContain('none');
      const otherPathUrl = modifyUrl(upload_url, (url) => (url.pathname += 'x'));
      for (const response of [
        await client.put(otherPathUrl, audio, content_type),
        await client.download(upload_url),
        await client.download(modifyUrl(download_url, (url) => (url.search = ''))),
        await client.download(
          modifyUrl(download_url, (url) => url.searchParams.set('expires', '9999999999')),
        ),
      ])
        expectProblem(response, 403, 'signature_mismatch');
    });

    it('take the whole body only, and not compressed', async () => {
      const { upload_url, content_type } = await client.upload(audio);
      const put = async (header: string, value: string) => {
        const headers = { 'content-type': content_type, [header]: value };
        const response = await fetch(upload_url, { method: 'PUT', headers, body: audio });
        return [response.status, ((await response.json()) as { code: string }).code];
      };
      expect(await put('Content-Range', 'bytes 0-9/100')).toEqual([422, 'validation_failed']);
      expect(await put('Content-Encoding', 'gzip')).toEqual([422, 'validation_failed']);
      expect((await client.put(upload_url, audio, content_type)).status).toBe(200);
    });

    it('answer the same error when modified, whether or not the object exists', async () => {
      const job = await client.submit(silence);
      await client.events(job.job_id);
      const storedUrl = (await client.job(job.job_id)).download_url ?? '';
      const missingUrl = storedUrl.replace(job.job_id, UNKNOWN);
      const replaceSignature = (originalUrl: string) => {
        const url = new URL(originalUrl);
        url.searchParams.set('signature', 'A'.repeat(43));
        return url.href;
      };
      const responses = await Promise.all(
        [storedUrl, missingUrl].map((url) => client.download(replaceSignature(url))),
      );
      const problems = responses.map((response) => {
        const { request_id: _, ...problem } = expectProblem(response, 403, 'signature_mismatch');
        return problem;
      });
      expect(problems[0]).toEqual(problems[1]);
    });
  });

  describe('§8 audio retention', () => {
    it('uploaded audio and intermediate objects are deleted after the job, and the transcript is retained', async () => {
      const { job_id, download_url } = await client.submit(audio);
      await client.events(job_id);
      await until('audio and work objects are deleted', async () => {
        const remaining = (await listStoredFiles(service.dataDir)).filter((path) => path.includes(job_id));
        return remaining.length > 0 && remaining.every((name) => !/\/(audio|work)\//.test(name));
      });
      expect((await client.download(download_url)).status).toBe(200);
    });
  });
}
