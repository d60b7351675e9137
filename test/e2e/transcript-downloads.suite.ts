import { describe, expect, it } from 'vitest';
import { silentWav } from './support/audio.js';
import { type Client, expectStatus } from './support/client.js';
import { rewriteTranscript } from './support/rewrite-transcript.js';
import type { Service } from './support/service.js';
import { downloadTranscript, FORMATS } from './support/transcript-files.js';

/** Of the web pages that may download transcripts: `CORS_ORIGINS` of the service. */
export const ORIGIN = 'https://app.example';

interface Shared {
  service: Service;
  client: Client;
  /** A completed job with speakers, and the URL from its create. */
  conversation: { job_id: string; download_url: string };
}

export function describeTranscriptDownloads(getShared: () => Shared): void {
  describe('a transcript', () => {
    it('can be read by pages of CORS_ORIGINS at every download_url, as can its errors', async () => {
      const { client, conversation } = getShared();
      const { job_id: id, download_url: urlOfCreate } = conversation;
      const readUrlAfterNaming = async (name: string | null) => {
        const body = JSON.stringify({ speakers: { SPEAKER_1: name } });
        const headers = { 'Content-Type': 'application/json' };
        expectStatus(200, await client.send('PATCH', `/api/v1/jobs/${id}/speakers`, { body, headers }));
        return (await client.job(id)).download_url ?? '';
      };
      const urls = [
        urlOfCreate,
        `${urlOfCreate}x`,
        await readUrlAfterNaming('Ada'),
        await readUrlAfterNaming(null),
      ];
      for (const url of urls) {
        const allowedOrigin = async (origin: string) =>
          (await fetch(url, { headers: { origin } })).headers.get('access-control-allow-origin');
        expect(await allowedOrigin(ORIGIN), url).toBe(ORIGIN);
        expect(await allowedOrigin('https://other.example'), url).toBeNull();
      }
    });

    it('with nearly 32 MiB of JSON is refused in no format', async () => {
      const { service, client } = getShared();
      const { job_id: id } = await client.submit(silentWav(1), { output_type: 'txt' });
      await client.events(id);
      const padding = 31 * 1024 * 1024;
      const { dataDir } = service;
      await rewriteTranscript(dataDir, id, (text) => `${text}${' '.repeat(padding)}`, /"schema_version"/);
      const addPadding = (text: string) =>
        text.replaceAll(/"size":(\d+)/g, (_, size: string) => `"size":${Number(size) + padding}`);
      await rewriteTranscript(dataDir, id, addPadding, /"key":"transcripts\/[^"]*\.json"/);
      for (const format of FORMATS)
        expect((await downloadTranscript(client, id, format)).status, format).toBe(200);
    });
  });
}
