import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bytes, spoken, wordsOf } from './support/audio.js';
import { type Client, type Created, expected } from './support/client.js';
import { expectDocument } from './support/document.js';
import { expectContiguous } from './support/events.js';
import { expectFields, expectProblem } from './support/problem.js';
import { Service } from './support/service.js';
import type { Parts } from './support/sets.js';

const TEXT = 'There are ninety tables between the office and the bridge.';

/** The way of one file, from its creation to its transcript. */
export function describeSequence(makeParts: () => Promise<Parts>): void {
  let parts: Parts;
  let service: Service;
  let client: Client;
  let audio: Bytes;

  beforeAll(async () => {
    parts = await makeParts();
    service = await Service.start(parts.env);
    client = await service.client();
    audio = await spoken(TEXT);
  });
  afterAll(async () => {
    await service?.stop();
    await parts?.remove();
  });

  describe('§1 the sequence for a file', () => {
    let created: Created;

    it('§4.1 creates a job: five fields, each of its type', async () => {
      created = await client.create({ file_size: audio.length });
      expect(Object.keys(created).toSorted()).toEqual([
        'content_type',
        'download_url',
        'expires_in',
        'job_id',
        'upload_url',
      ]);
      expect(created.job_id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
      for (const address of [created.upload_url, created.download_url])
        expect(new URL(address).protocol).toBe('http:');
      expect(created.content_type).toMatch(/^[\w.+-]+\/[\w.+-]+$/);
      expect(created.expires_in).toBe(3600);
    });

    it('§4.8 is processing from its creation, without a download address', async () => {
      expect(await client.job(created.job_id)).toEqual({
        job_id: created.job_id,
        status: 'processing',
        download_url: null,
        failed_stage: null,
        reason: null,
      });
      expectProblem(await client.download(created.download_url), 404);
    });

    it('§2 takes the bytes with exactly the content type that was signed', async () => {
      expect((await client.put(created.upload_url, audio, 'audio/wav')).status).toBe(403);
      expectProblem(await client.complete(created.job_id), 400, 'upload_incomplete');
      expect((await client.put(created.upload_url, audio, created.content_type)).status).toBe(200);
    });

    it('§4.3 is queued by the complete call, once', async () => {
      expect(expected(200, await client.complete(created.job_id))).toEqual({ status: 'queued' });
      const again = expected<{ status: string }>(200, await client.complete(created.job_id));
      expect(['processing', 'completed']).toContain(again.status);
    });

    it('§6.1 tells its events to the end', async () => {
      const events = await client.events(created.job_id);
      expectContiguous(events);
      const last = events.pop();
      expect(last?.name).toBe('completed');
      expect(last?.data).toEqual({
        job_id: created.job_id,
        download_url: expect.stringMatching(/^http/),
        output_type: 'json',
      });
      for (const { name, data } of events) {
        expect(name).toBe('progress');
        expect(Object.keys(data).toSorted()).toEqual(['completed', 'step', 'total']);
        expect(data['step']).toMatch(/^(preprocess|chunk:\d+|aggregation)$/);
        expect(data['completed']).toBeLessThanOrEqual(data['total'] as number);
      }
    });

    it('§4.8 serves the same transcript from the addresses of creation, event and retrieval', async () => {
      const job = await client.job(created.job_id);
      expect(job).toMatchObject({ status: 'completed', failed_stage: null, reason: null });
      const end = (await client.events(created.job_id)).at(-1);
      const addresses = [created.download_url, end?.data['download_url'] as string, job.download_url ?? ''];
      const answers = await Promise.all(addresses.map((address) => client.download(address)));
      for (const { status, headers } of answers) {
        expect(status).toBe(200);
        expect(headers.get('content-type')).toMatch(/^application\/json/);
      }
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      const document = expectDocument(answers[0]?.text ?? '', created.job_id);
      expect(wordsOf(document.text)).toEqual(wordsOf(TEXT));
      expect(document.segments.every(({ words }) => words !== null)).toBe(true);
    });

    it('§4.3 answers a late complete, and a late ping, with the status of the job', async () => {
      for (const call of [client.complete(created.job_id), client.progress(created.job_id)])
        expect(expected(200, await call)).toEqual({ status: 'completed' });
    });
  });

  describe('§2 the options of a job', () => {
    const form: Record<string, RegExp> = {
      txt: /There are ninety tables between the office and the bridge\.\s*$/,
      srt: /^1\r?\n\d\d:\d\d:\d\d,\d{3} --> \d\d:\d\d:\d\d,\d{3}\r?\n[^]*tables/,
      vtt: /^WEBVTT\r?\n[^]*\d\d:\d\d\.\d{3} --> [^]*tables/,
      docx: /^PK/,
      pdf: /^%PDF-/,
    };
    const type: Record<string, RegExp> = {
      txt: /^text\/plain/,
      srt: /^(application\/x-subrip|text\/)/,
      vtt: /^text\/vtt/,
      docx: /^application\/vnd\.openxmlformats-officedocument\.wordprocessingml\.document/,
      pdf: /^application\/pdf/,
    };

    it.each(Object.keys(form))('output_type %s: the transcript is stored so', async (output_type) => {
      const answer = await client.post('/upload', { file_size: audio.length, output_type });
      // A format that is not made yet is refused at once, by name.
      if (answer.status === 422 && ['docx', 'pdf'].includes(output_type))
        return expectFields(answer, 'output_type');
      const created = expected<Created>(200, answer);
      await client.put(created.upload_url, audio, created.content_type);
      await client.complete(created.job_id);
      const end = (await client.events(created.job_id)).at(-1);
      expect(end).toMatchObject({ name: 'completed', data: { output_type } });
      const file = await client.download(created.download_url);
      expect(file.headers.get('content-type')).toMatch(type[output_type] ?? /^$/);
      expect(file.headers.get('content-disposition')).toContain(`.${output_type}`);
      expect(file.text).toMatch(form[output_type] ?? /^$/);
    });

    const transcribe = async (options: Record<string, unknown>) => {
      const { job_id, download_url } = await client.submit(audio, options);
      expect((await client.events(job_id)).at(-1)?.name).toBe('completed');
      return expectDocument((await client.download(download_url)).text, job_id);
    };

    it('word_timestamps false: no words', async () => {
      const { segments } = await transcribe({ word_timestamps: false });
      expect(segments.length).toBeGreaterThan(0);
      for (const { words } of segments) expect(words).toBeNull();
    });

    it.each(['speaker_labels', 'diarize'])('%s false: no speakers', async (name) => {
      const { speakers, segments } = await transcribe({ [name]: false });
      expect(speakers).toEqual([]);
      for (const { speaker } of segments) expect(speaker).toBeNull();
    });

    it('nltk false: the words as they were heard, no marks added', async () => {
      const { text } = await transcribe({ nltk: false });
      expect(wordsOf(text)).toEqual(wordsOf(TEXT));
      expect(text).not.toMatch(/[.,?!]/);
    });
  });
}
