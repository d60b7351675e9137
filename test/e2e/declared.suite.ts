import { beforeAll, describe, expect, it } from 'vitest';
import { silentWav } from './support/audio.js';
import { type Client, expectStatus } from './support/client.js';
import { expectTranscriptDocument } from './support/transcript-document.js';
import { completeMultipart, createMultipart, putParts, statusOf } from './support/multipart.js';
import type { Service } from './support/service.js';

/** Recordings that are shorter than declared: they are transcribed, and the transcript reports it. */
export function describeDeclared(getService: () => Service): void {
  describe('§4.5 uploads shorter than declared', () => {
    let client: Client;
    beforeAll(async () => {
      client = await getService().client((await getService().openAccount(100)).api_key);
    });

    const readWarnings = async (jobId: string) => {
      expect((await client.events(jobId)).at(-1)?.name).toBe('completed');
      const { download_url } = await client.job(jobId);
      const { text } = await client.download(download_url ?? '');
      return expectTranscriptDocument(text, jobId).warnings.filter(({ code }) => code !== 'no_speech');
    };

    it('a multipart upload of fewer bytes than declared is queued and its transcript has a warning', async () => {
      const created = await createMultipart(client, { file_size: 100_000 });
      const parts = await putParts(client, created, silentWav(1));
      expect(statusOf(await completeMultipart(client, created.job_id, parts))).toBe('queued');
      expect(await readWarnings(created.job_id)).toEqual([
        {
          code: 'upload_smaller_than_declared',
          message: '32044 of 100000 declared bytes were uploaded.',
          segment_id: null,
        },
      ]);
    });

    it('a truncated file is transcribed as far as possible and its transcript has a warning', async () => {
      const { job_id } = await client.submit(silentWav(3).slice(0, 47_084));
      expect(await readWarnings(job_id)).toEqual([
        {
          code: 'audio_truncated',
          message: 'The file declares a length of 3.00 s; 1.47 s of audio could be decoded.',
          segment_id: null,
        },
      ]);
    });

    it('the transcript of a complete file has no warning', async () => {
      const created = await createMultipart(client, { file_size: silentWav(1).length });
      const parts = await putParts(client, created, silentWav(1));
      expectStatus(200, await completeMultipart(client, created.job_id, parts));
      expect(await readWarnings(created.job_id)).toEqual([]);
    });
  });
}
