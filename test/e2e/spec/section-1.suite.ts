import { beforeAll, describe, expect, it } from 'vitest';
import { ADDED_FIELDS } from '../support/added-fields.js';
import { dialogueWav, speechAcrossBoundary, splitWords } from '../support/audio.js';
import { type CreatedJob, expectStatus } from '../support/client.js';
import { expectTranscriptDocument } from '../support/transcript-document.js';
import { expectContiguous } from '../support/events.js';
import { completeMultipart, createMultipart, putParts, statusOf } from '../support/multipart.js';
import { collectMessages, transcribeStreamed } from '../support/streamed-transcription.js';
import { expectProblem } from '../support/problem.js';
import { waitForEnd, readTranscript } from './ends.js';
import { TEXT, type SpecContext } from './spec-context.js';

const MIB = 2 ** 20;

export function describeSection1(getContext: () => SpecContext): void {
  describe('§1 the sequence for a file', () => {
    let created: CreatedJob;

    it('§4.1 creating a job returns five fields of the specified types', async () => {
      const { client, speech } = getContext();
      created = await client.create({ file_size: speech.length });
      expect(Object.keys(created).toSorted()).toEqual([
        'content_type',
        'download_url',
        'expires_in',
        'job_id',
        'upload_url',
      ]);
      expect(created.job_id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
      for (const url of [created.upload_url, created.download_url])
        expect(new URL(url).protocol).toBe('http:');
      expect(created.content_type).toMatch(/^[\w.+-]+\/[\w.+-]+$/);
      expect(created.expires_in).toSatisfy(Number.isInteger);
    });

    it('§4.8 a created job is processing and has no download URL', async () => {
      const { client } = getContext();
      expect(await client.job(created.job_id)).toEqual({
        job_id: created.job_id,
        status: 'processing',
        download_url: null,
        failed_stage: null,
        reason: null,
        ...ADDED_FIELDS,
      });
      expect((await client.download(created.download_url)).status).toBe(404);
    });

    it('§2 the signed URL accepts the bytes with the signed content type and without a key', async () => {
      const { client, speech } = getContext();
      for (const type of ['audio/wav', `${created.content_type}; charset=x`, ''])
        expect((await client.put(created.upload_url, speech, type)).status, type).toBe(403);
      expectProblem(await client.complete(created.job_id), 400, 'upload_incomplete');
      expect((await client.put(created.upload_url, speech, created.content_type)).status).toBe(200);
    });

    it('§4.3 the complete call queues the job once', async () => {
      const { client } = getContext();
      expect(expectStatus(200, await client.complete(created.job_id))).toEqual({ status: 'queued' });
      const repeatedStatus = statusOf(await client.complete(created.job_id));
      expect(['processing', 'completed']).toContain(repeatedStatus);
    });

    it('§6.1 the stream sends the events of the job to its end', async () => {
      const { client } = getContext();
      const events = await client.events(created.job_id, { lastEventId: '0' });
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

    it('§4.8 the URLs of creation, event and retrieval serve the same transcript', async () => {
      const { client } = getContext();
      const job = await client.job(created.job_id);
      expect(job).toMatchObject({ status: 'completed', failed_stage: null, reason: null });
      const end = await waitForEnd(client, created.job_id);
      const urls = [created.download_url, end.data['download_url'] as string, job.download_url ?? ''];
      const responses = await Promise.all(urls.map((url) => client.download(url)));
      for (const { status, headers } of responses) {
        expect(status).toBe(200);
        expect(headers.get('content-type')).toMatch(/^application\/json/);
      }
      expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
      const document = expectTranscriptDocument(responses[0]?.text ?? '', created.job_id);
      expect(splitWords(document.text)).toEqual(splitWords(TEXT));
      expect(document.segments.every(({ words }) => words !== null)).toBe(true);
    });

    it('§4.3 a late complete and a late progress call return the status of the job', async () => {
      const { client } = getContext();
      for (const call of [client.complete(created.job_id), client.progress(created.job_id)])
        expect(expectStatus(200, await call)).toEqual({ status: 'completed' });
    });
  });

  describe('§1 the other ways to supply audio', () => {
    it('a multipart upload is transcribed and can be polled', async () => {
      const { client } = getContext();
      const audio = await speechAcrossBoundary(5 * MIB);
      const options = { part_size: 5 * MIB, output_type: 'txt' };
      const created = await createMultipart(client, { file_size: audio.length, ...options });
      expect(created.num_parts).toBe(2);
      const parts = await putParts(client, created, audio);
      expect(statusOf(await completeMultipart(client, created.job_id, parts))).toBe('queued');
      const status = async () => (await client.job(created.job_id)).status;
      await expect.poll(status, { timeout: 30_000, interval: 250 }).toBe('completed');
      const { text } = await client.download((await client.job(created.job_id)).download_url ?? '');
      expect(splitWords(text)).toEqual(expect.arrayContaining(['library', 'mountain']));
    });

    it('POST /transcribe returns progress and transcript on the same connection', async () => {
      const { client, speech } = getContext();
      const messages = await collectMessages(await transcribeStreamed(client, speech, '?output_type=txt'));
      expect(messages.map(({ event }) => event).filter((name) => name !== 'progress')).toEqual([
        'accepted',
        'completed',
        'transcript',
      ]);
      expect(splitWords(messages.at(-1)?.data ?? '')).toEqual(expect.arrayContaining(splitWords(TEXT)));
    });

    it('an audio_url is fetched by the service and its job can be streamed', async () => {
      const { client, receiver, speech } = getContext();
      const audio_url = receiver.serve('/speech.wav', speech);
      const created = await client.create({ audio_url });
      expect(created.upload_url).toBeNull();
      expect(created.content_type).toMatch(/\w\/\w/);
      expect(created.expires_in).toSatisfy(Number.isInteger);
      const { text } = await readTranscript(client, created);
      expect(splitWords(text)).toEqual(splitWords(TEXT));
    });
  });

  describe('§1 the contents of a transcript', () => {
    let created: CreatedJob;
    beforeAll(async () => {
      created = await getContext().client.submit(await dialogueWav());
    });

    it('has the speakers SPEAKER_1 and SPEAKER_2 in order of first appearance and times in seconds', async () => {
      const { speakers, segments, duration } = await readTranscript(getContext().client, created);
      expect(speakers.map(({ id }) => id)).toEqual(['SPEAKER_1', 'SPEAKER_2']);
      const segmentSpeakers = segments.map(({ speaker }) => speaker);
      expect(segmentSpeakers.filter((speaker, index) => speaker !== segmentSpeakers[index - 1])).toEqual([
        'SPEAKER_1',
        'SPEAKER_2',
        'SPEAKER_1',
      ]);
      expect(duration).toBeGreaterThan(15);
      expect(duration).toBeLessThan(40);
      expect(segments.at(-1)?.end).toBeGreaterThan(duration / 2);
    });
  });
}
