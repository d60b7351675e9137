import { beforeAll, describe, expect, it } from 'vitest';
import { splitWords } from '../support/audio.js';
import { type ApiResponse, type Client, type CreatedJob, expectStatus } from '../support/client.js';
import { createMultipart } from '../support/multipart.js';
import { expectInvalidFields, expectProblem } from '../support/problem.js';
import { waitForEnd, readTranscript } from './ends.js';
import { TEXT, UNKNOWN, type SpecContext } from './spec-context.js';

const FORMATS: Record<string, { form: RegExp; type: RegExp }> = {
  json: { form: /^\{/, type: /^application\/json/ },
  txt: { form: /There are ninety tables between the office and the bridge\.\s*$/, type: /^text\/plain/ },
  srt: {
    form: /^1\r?\n\d\d:\d\d:\d\d,\d{3} --> \d\d:\d\d:\d\d,\d{3}\r?\n[^]*tables/,
    type: /^(application\/x-subrip|text\/)/,
  },
  vtt: { form: /^WEBVTT\r?\n[^]*\d\d:\d\d\.\d{3} --> [^]*tables/, type: /^text\/vtt/ },
  docx: {
    form: /^PK/,
    type: /^application\/vnd\.openxmlformats-officedocument\.wordprocessingml\.document/,
  },
  pdf: { form: /^%PDF-/, type: /^application\/pdf/ },
};
const FLAGS = ['word_timestamps', 'speaker_labels', 'nltk'];

export function describeSection2(getContext: () => SpecContext): void {
  describe('§2 the job', () => {
    it.each<[string, (client: Client, job_id: string) => Promise<ApiResponse>]>([
      ['GET /jobs/{id}', (client, id) => client.send('GET', `/api/v1/jobs/${id}`)],
      ['GET /jobs/{id}/stream', (client, id) => client.send('GET', `/api/v1/jobs/${id}/stream`)],
      ['POST /upload/progress', (client, id) => client.progress(id)],
      ['POST /upload/complete', (client, id) => client.complete(id)],
      [
        'POST /upload/multipart/complete',
        (client, job_id) =>
          client.post('/upload/multipart/complete', { job_id, parts: [{ part_number: 1, etag: 'x' }] }),
      ],
      [
        'POST /upload/multipart/abort',
        (client, job_id) => client.post('/upload/multipart/abort', { job_id }),
      ],
      ['POST /jobs/cancel', (client, job_id) => client.post('/jobs/cancel', { job_id })],
    ])(
      'belongs to an account, so %s of another account answers the same 404 as an unknown job',
      async (_, call) => {
        const { early, otherClient, client } = getContext();
        const { job_id } = early.finished;
        const responses = [await call(otherClient, job_id), await call(otherClient, UNKNOWN)].map(
          (response) => ({
            ...expectProblem(response, 404, 'job_not_found'),
            request_id: '',
          }),
        );
        expect(responses[0]).toEqual(responses[1]);
        expect((await client.job(job_id)).job_id).toBe(job_id);
      },
    );
  });

  describe('§2 the options', () => {
    let stored: Record<string, CreatedJob>;
    beforeAll(async () => {
      const { client, speech } = getContext();
      const created = Object.keys(FORMATS).map(
        async (output_type) => [output_type, await client.submit(speech, { output_type })] as const,
      );
      stored = Object.fromEntries(await Promise.all(created));
    });

    it.each(Object.keys(FORMATS))(
      'output_type %s stores the transcript in that format',
      async (output_type) => {
        const { client } = getContext();
        const { job_id, download_url } = stored[output_type] as CreatedJob;
        const end = await waitForEnd(client, job_id);
        expect(end).toMatchObject({ name: 'completed', data: { job_id, output_type } });
        const file = await client.download(download_url);
        expect(file.headers.get('content-type')).toMatch(FORMATS[output_type]?.type ?? /^$/);
        expect(file.headers.get('content-disposition')).toContain(`.${output_type}`);
        expect(file.text).toMatch(FORMATS[output_type]?.form ?? /^$/);
      },
    );

    it('the defaults are zephyr, json and every flag on, and the language is always detected', async () => {
      const { client, speech } = getContext();
      const transcript = await readTranscript(client, await client.submit(speech, { language: 'de' }));
      expect(transcript).toMatchObject({
        model: 'zephyr',
        language: expect.stringMatching(/^en/),
        options: { word_timestamps: true, speaker_labels: true, nltk: true },
      });
      const { segments, speakers, text } = transcript;
      expect(segments[0]?.words?.length).toBeGreaterThan(0);
      expect(speakers.map(({ id }) => id)).toEqual(['SPEAKER_1']);
      expect(splitWords(text)).toEqual(splitWords(TEXT));
      expect(text).toMatch(/^There .*\.$/);
    });

    it('word_timestamps and speaker_labels set to false omit words and speakers', async () => {
      const { client, speech } = getContext();
      const disabledOptions = { word_timestamps: false, speaker_labels: false };
      const { speakers, segments } = await readTranscript(
        client,
        await client.submit(speech, disabledOptions),
      );
      expect(speakers).toEqual([]);
      expect(segments.length).toBeGreaterThan(0);
      for (const { words, speaker } of segments) expect([words, speaker]).toEqual([null, null]);
    });

    it('diarize is an alias of speaker_labels, and nltk set to false adds no punctuation', async () => {
      const { client, speech } = getContext();
      const disabledOptions = { diarize: false, nltk: false };
      const { text, speakers, segments } = await readTranscript(
        client,
        await client.submit(speech, disabledOptions),
      );
      expect(speakers).toEqual([]);
      for (const { speaker, words } of segments) {
        expect(speaker).toBeNull();
        expect(words?.length).toBeGreaterThan(0);
      }
      expect(splitWords(text)).toEqual(splitWords(TEXT));
      expect(text).not.toMatch(/[.,?!]/);
    });

    it.each<[string, unknown]>([
      ['model', 'other'],
      ['output_type', 'rtf'],
      ...FLAGS.map((flag): [string, unknown] => [flag, 'true']),
      ['diarize', 1],
      ['tier', 'premium'],
      ['custom_vocabulary', 'one,two'],
      ['callback_url', 'ftp://example.org/'],
      ['callback_url', 'http://10.0.0.1/'],
    ])('%s %j answers 422 naming the field on both creating routes', async (field, value) => {
      const { client } = getContext();
      for (const route of ['/upload', '/upload/multipart/create'])
        expectInvalidFields(await client.post(route, { file_size: 1, [field]: value }), field);
    });

    it('null is accepted where the table allows it', async () => {
      const { client } = getContext();
      const body = { file_size: 1, custom_vocabulary: null, callback_url: null };
      expectStatus(200, await client.post('/upload', body));
      await createMultipart(client, { ...body, part_size: null });
    });
  });
}
