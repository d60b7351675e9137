import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dialogueWav, silentWav, synthesizeSpeech } from './support/audio.js';
import { type ApiResponse, Client, expectStatus } from './support/client.js';
import { expectTranscriptDocument } from './support/transcript-document.js';
import { expectInvalidFields, expectProblem } from './support/problem.js';
import { Service } from './support/service.js';
import {
  downloadFile,
  type Format,
  FORMATS,
  extractVisibleText,
  downloadTranscript,
} from './support/transcript-files.js';
import { describeTranscriptDownloads, ORIGIN } from './transcript-downloads.suite.js';

const UNKNOWN = '0193a5c0-0000-7000-8000-000000000000';

interface SpeakerNames {
  job_id: string;
  speakers: Record<string, string | null>;
}

let service: Service;
let client: Client;
/** A client of another account, without a job. */
let otherClient: Client;
/** A conversation of two speakers, and the URL from its create. */
let conversation: { job_id: string; download_url: string };

beforeAll(async () => {
  service = await Service.startEmbedded({ CORS_ORIGINS: ORIGIN });
  client = await service.client();
  otherClient = await service.client((await service.openAccount(1_000)).api_key);
  conversation = await client.submit(await dialogueWav());
  await client.events(conversation.job_id);
});
afterAll(() => service?.stop());

const get = (jobId: string, query = '', caller = client) =>
  caller.send('GET', `/api/v1/jobs/${jobId}/transcript${query}`);
const patch = (jobId: string, body: unknown, caller = client) =>
  caller.send('PATCH', `/api/v1/jobs/${jobId}/speakers`, {
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
  });
const setNames = async (jobId: string, speakers: Record<string, string | null>) =>
  expectStatus<SpeakerNames>(200, await patch(jobId, { speakers })).speakers;
const omitRequestId = ({ status, text }: ApiResponse) => [status, text.replace(/"request_id":"[^"]*"/, '')];

/** The file, and the headers of its response that do not depend on time. */
async function fetchTranscript(jobId: string, format?: string) {
  const { status, headers, bytes } = await downloadTranscript(client, jobId, format);
  expect(status, bytes.toString('utf8').slice(0, 500)).toBe(200);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  return { type: headers.get('content-type'), disposition: headers.get('content-disposition'), bytes };
}
const downloadText = async (jobId: string, format: Format) =>
  extractVisibleText(format, (await fetchTranscript(jobId, format)).bytes);

describeTranscriptDownloads(() => ({ service, client, conversation }));

describe('GET /jobs/{job_id}/transcript', () => {
  it('writes captions of the width and number of lines that the caller asks for', async () => {
    for (const format of ['srt', 'vtt']) {
      const { status, text } = await get(
        conversation.job_id,
        `?format=${format}&max_line_chars=20&max_lines=1`,
      );
      expect(status).toBe(200);
      const blocks = text
        .trim()
        .split('\n\n')
        .slice(format === 'vtt' ? 1 : 0);
      const lines = blocks.map((block) => block.split('\n').slice(2));
      expect(lines.length).toBeGreaterThan(10);
      for (const cue of lines) expect(cue).toHaveLength(1);
      for (const [line = ''] of lines) expect(line.replace(/<.*?>/g, '').length).toBeLessThanOrEqual(20);
    }
    const rejected = await get(conversation.job_id, '?format=txt&max_lines=1');
    expect(expectProblem(rejected, 400, 'invalid_parameter').errors).toMatchObject([{ field: 'max_lines' }]);
  });

  it('returns every format with the same words, content type and file name as a job of that output_type', async () => {
    const audio = await synthesizeSpeech('The tables in the office are under the bridge.');
    const jobs = await Promise.all(
      FORMATS.map(async (format) => ({ format, ...(await client.submit(audio, { output_type: format })) })),
    );
    for (const { job_id } of jobs) await client.events(job_id);
    for (const { format, job_id, download_url } of jobs) {
      const original = await downloadFile(download_url);
      const ownFile = await fetchTranscript(job_id);
      expect(ownFile.bytes.equals(original.bytes)).toBe(true);
      for (const other of jobs) {
        const rendered = await fetchTranscript(other.job_id, format);
        expect(await extractVisibleText(format, rendered.bytes)).toBe(
          await extractVisibleText(format, original.bytes),
        );
        expect(rendered.type).toBe(original.headers.get('content-type'));
        expect(rendered.disposition).toBe(
          original.headers.get('content-disposition')?.replaceAll(job_id, other.job_id),
        );
      }
      expect(await downloadText(job_id, format)).toContain('bridge');
    }
  });

  it('answers the same 404 for an unknown, foreign or malformed job id', async () => {
    const responses = await Promise.all(
      [conversation.job_id, UNKNOWN, 'x'].map(async (id) => get(id, '?format=txt', otherClient)),
    );
    for (const response of responses) expectProblem(response, 404, 'job_not_found');
    expect(new Set(responses.map((response) => JSON.stringify(omitRequestId(response)))).size).toBe(1);
  });

  it('answers 400 with a distinct code for a processing, cancelled or failed job', async () => {
    const { job_id } = await client.create({ file_size: 1 });
    expectProblem(await get(job_id), 400, 'transcript_not_ready');
    expectProblem(await patch(job_id, { speakers: {} }), 400, 'transcript_not_ready');
    await client.post('/jobs/cancel', { job_id });
    expectProblem(await get(job_id, '?format=pdf'), 400, 'job_cancelled');
    expectProblem(await patch(job_id, { speakers: {} }), 400, 'job_cancelled');
    const failed = await client.submit(silentWav(1).slice(0, 44));
    await client.events(failed.job_id);
    const { detail } = expectProblem(await get(failed.job_id), 400, 'job_failed');
    const { failed_stage, reason } = await client.job(failed.job_id);
    for (const part of [failed_stage, reason]) expect(detail).toContain(part);
    expectProblem(await patch(failed.job_id, { speakers: {} }), 400, 'job_failed');
  });

  it.each(['', 'odt', 'JSON', 'json%00', '__proto__', 'txt&format=json', 'txt&format=txt'])(
    'format %j answers 400 and names the parameter',
    async (format) => {
      const { errors } = expectProblem(
        await get(conversation.job_id, `?format=${format}`),
        400,
        'invalid_parameter',
      );
      expect(errors?.map(({ field }) => field)).toEqual(['format']);
    },
  );

  it('returns a valid file for a job without speech', async () => {
    const { job_id } = await client.submit(silentWav(2), { output_type: 'srt' });
    await client.events(job_id);
    for (const format of FORMATS) await fetchTranscript(job_id, format);
    expect(await setNames(job_id, {})).toEqual({});
    expectInvalidFields(await patch(job_id, { speakers: { SPEAKER_1: 'Ada' } }), 'speakers.SPEAKER_1');
  });

  it('a file that many requests want at once is rendered once', async () => {
    const responses = await Promise.all(
      Array.from({ length: 100 }, () => downloadTranscript(client, conversation.job_id, 'pdf')),
    );
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    expect(new Set(responses.map(({ bytes }) => bytes.toString('base64'))).size).toBe(1);
  });

  it('answers 429 over the share of the account while other routes respond', async () => {
    const layouts = Array.from({ length: 60 }, (_, index) => `?format=srt&max_line_chars=${40 + index}`);
    const responses = await Promise.all(layouts.map((query) => get(conversation.job_id, query)));
    const rejected = responses.filter(({ status }) => status === 429);
    for (const response of rejected) {
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      expectProblem(response, 429, 'concurrency_limit_exceeded');
    }
    expect(rejected.length).toBeGreaterThan(0);
    expect(responses.filter(({ status }) => status === 200).length).toBe(responses.length - rejected.length);
    await fetchTranscript(conversation.job_id, 'pdf');
  });
});

describe('PATCH /jobs/{job_id}/speakers', () => {
  it('names speakers in every format, and the JSON keeps the labels beside the names', async () => {
    const names = { SPEAKER_1: 'Ada <b> Lovelace', SPEAKER_2: '李雷' };
    expect(await setNames(conversation.job_id, names)).toEqual(names);
    for (const format of FORMATS.filter((each) => each !== 'json')) {
      const text = (await downloadText(conversation.job_id, format))
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>');
      for (const each of Object.values(names)) expect(text, format).toContain(each);
      expect(text, format).not.toContain('SPEAKER_');
    }
    const { bytes } = await fetchTranscript(conversation.job_id);
    const { speakers } = expectTranscriptDocument(bytes.toString('utf8'), conversation.job_id);
    expect(speakers).toMatchObject([
      { id: 'SPEAKER_1', name: 'Ada <b> Lovelace' },
      { id: 'SPEAKER_2', name: '李雷' },
    ]);
  });

  it('changes what every download_url serves, and null removes names', async () => {
    await setNames(conversation.job_id, { SPEAKER_1: null, SPEAKER_2: null });
    const before = (await client.job(conversation.job_id)).download_url ?? '';
    expect(await setNames(conversation.job_id, { SPEAKER_1: ' Ada ' })).toEqual({
      SPEAKER_1: 'Ada',
      SPEAKER_2: null,
    });
    const after = (await client.job(conversation.job_id)).download_url ?? '';
    for (const url of [conversation.download_url, after]) {
      const { headers, bytes } = await downloadFile(url);
      expect(headers.get('content-disposition')).toContain(`transcript-${conversation.job_id}.json`);
      const { speakers } = expectTranscriptDocument(bytes.toString('utf8'), conversation.job_id);
      expect(speakers).toMatchObject([{ name: 'Ada' }, { name: null }]);
    }
    const old = expectTranscriptDocument((await client.download(before)).text, conversation.job_id);
    expect(old.speakers).toMatchObject([{ name: null }, { name: null }]);
    expect(await setNames(conversation.job_id, { SPEAKER_1: null })).toEqual({
      SPEAKER_1: null,
      SPEAKER_2: null,
    });
    const downloaded = await client.download((await client.job(conversation.job_id)).download_url ?? '');
    expect(JSON.parse(downloaded.text)).toEqual(JSON.parse((await client.download(before)).text));
  });

  it('answers 422 naming an invalid field and changes nothing', async () => {
    const namesBefore = await setNames(conversation.job_id, { SPEAKER_1: 'Kept' });
    for (const body of [{}, { speakers: null }, { speakers: [] }, { speakers: 'Ada' }, { speakers: 5 }])
      expectInvalidFields(await patch(conversation.job_id, body), 'speakers');
    for (const invalidName of [
      '',
      ' ',
      'x'.repeat(81),
      'a\u0000',
      'a\nb',
      '\ud800',
      5,
      true,
      ['Ada'],
      { a: 'b' },
    ])
      expectInvalidFields(
        await patch(conversation.job_id, { speakers: { SPEAKER_1: 'Changed', SPEAKER_2: invalidName } }),
        'speakers.SPEAKER_2',
      );
    const unknown = { speakers: { SPEAKER_1: 'Changed', SPEAKER_9: 'Nobody', toString: null } };
    const inherited = '{"speakers":{"__proto__":"Eve"}}';
    const rejected = await patch(conversation.job_id, unknown);
    expectInvalidFields(rejected, 'speakers.SPEAKER_9', 'speakers.toString');
    expect(rejected.text).toContain('which has SPEAKER_1, SPEAKER_2');
    expectInvalidFields(await patch(conversation.job_id, JSON.parse(inherited)), 'speakers.__proto__');
    expect(await setNames(conversation.job_id, {})).toEqual(namesBefore);
  });

  it('answers 404 for an unknown or foreign job and changes nothing', async () => {
    const namesBefore = await setNames(conversation.job_id, {});
    for (const id of [conversation.job_id, UNKNOWN, 'x'])
      expectProblem(await patch(id, { speakers: { SPEAKER_1: 'Eve' } }, otherClient), 404, 'job_not_found');
    expect(await setNames(conversation.job_id, {})).toEqual(namesBefore);
  });

  it('has its own rate limit of 120 per minute, as the transcript route has', async () => {
    const unused = await service.client((await service.openAccount(1)).api_key);
    const responses = [await get(UNKNOWN, '', unused), await patch(UNKNOWN, { speakers: {} }, unused)];
    // The service of this suite multiplies the limit by 100.
    for (const { headers } of responses) {
      expect(headers.get('ratelimit-limit')).toBe('12000');
      expect(headers.get('ratelimit-remaining')).toBe('11999');
    }
  });

  it('answers 401 without a key, as the transcript route does', async () => {
    const unauthenticated = new Client(service.baseUrl, null);
    expectProblem(await get(conversation.job_id, '', unauthenticated), 401);
    expectProblem(await patch(conversation.job_id, { speakers: {} }, unauthenticated), 401);
  });

  it('persists names when the service is killed and restarted', async () => {
    await setNames(conversation.job_id, { SPEAKER_2: 'Grace' });
    await service.killAll();
    await service.restart();
    expect(await downloadText(conversation.job_id, 'txt')).toContain('Grace:');
    expect((await setNames(conversation.job_id, {}))['SPEAKER_2']).toBe('Grace');
  });
});
