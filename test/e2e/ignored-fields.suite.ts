import { beforeAll, describe, expect, it } from 'vitest';
import { silentWav } from './support/audio.js';
import type { Client } from './support/client.js';
import {
  transcribeStreamed,
  openTranscribeRequest,
  readErrorResponse,
} from './support/streamed-transcription.js';
import type { Service } from './support/service.js';

const UNKNOWN = '0193a5c0-0000-7000-8000-000000000000';

export function describeIgnoredFields(getService: () => Service): void {
  let client: Client;
  beforeAll(async () => {
    client = await getService().client();
  });
  const postAndReadIgnored = async (path: string, body: object) =>
    (await client.post(path, body)).headers.get('x-ignored-fields');

  describe('X-Ignored-Fields', () => {
    it.each([
      '/upload',
      '/upload/progress',
      '/upload/complete',
      '/upload/multipart/create',
      '/upload/multipart/complete',
      '/upload/multipart/abort',
      '/jobs/cancel',
      '/jobs/check-failed',
    ])('names the unknown body fields of POST %s in success and error responses', async (path) => {
      const body = { file_size: 1, job_id: UNKNOWN, job_ids: [], outputType: 'srt', 'Call Back': 1 };
      expect(await postAndReadIgnored(path, body)).toMatch(/outputType, Call%20Back$/);
      expect(await postAndReadIgnored(path, { outputType: 'srt' })).toBe('outputType');
    });

    it('names the parameters of the query, which routes with a JSON body do not have', async () => {
      const path = '/upload?output_type=srt&bogus=1&bogus=2';
      expect(await postAndReadIgnored(path, { file_size: 1, other: 1 })).toBe(
        'other, query.output_type, query.bogus',
      );
    });

    it('is absent when nothing was ignored', async () => {
      expect(
        await postAndReadIgnored('/upload', { file_size: 1, output_type: 'srt', metadata: { any: 'x' } }),
      ).toBeNull();
      expect(await postAndReadIgnored('/jobs/check-failed', { job_ids: [] })).toBeNull();
    });

    it('has a bounded length whatever is sent', async () => {
      const body = Object.fromEntries(
        Array.from({ length: 5_000 }, (_, index) => [`é\r\n${index}`.repeat(9), 1]),
      );
      const value = (await postAndReadIgnored('/upload', { file_size: 1, ...body })) ?? '';
      expect(value.length).toBeLessThan(1_500);
      expect(value).toMatch(/^[\w%., -]+, \.\.\.$/);
    });

    it('names the unknown query parameters of POST /transcribe', async () => {
      const query = '?outputType=srt&metadata.a=1&nltk=false&x%0A=1';
      const { response } = await transcribeStreamed(client, silentWav(1), query);
      response.destroy();
      expect(response.headers['x-ignored-fields']).toBe('outputType, x%0A');
      const rejectedRequest = openTranscribeRequest(client, `${query}&tier=gold`);
      rejectedRequest.end(silentWav(1));
      expect((await readErrorResponse(rejectedRequest)).headers.get('x-ignored-fields')).toBe(
        'outputType, x%0A',
      );
    });
  });
}
