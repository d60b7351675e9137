import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { synthesizeSpeech, splitWords } from '../e2e/support/audio.js';
import { expectTranscriptDocument } from '../e2e/support/transcript-document.js';
import { runProgram } from '../e2e/support/program.js';
import { Service } from '../e2e/support/service.js';

const ENGINE = { ENGINE: 'openai', OPENAI_MODEL: 'whisper-1' };

let remoteService: Service;
let service: Service;
let key: string;

beforeAll(async () => {
  remoteService = await Service.start();
  key = await remoteService.apiKey();
  const server = { OPENAI_BASE_URL: `${remoteService.baseUrl}/v1`, OPENAI_API_KEY: key };
  service = await Service.start({ ...ENGINE, ...server });
});
afterAll(async () => {
  await service?.stop();
  await remoteService?.stop();
});

describe('a service that transcribes through another service', () => {
  it('the transcript has words of the remote service and its own speakers', async () => {
    const client = await service.client();
    const { job_id } = await client.submit(
      await synthesizeSpeech('There are ninety tables between the office and the bridge.'),
    );
    expect((await client.events(job_id)).at(-1)?.name).toBe('completed');
    const { download_url } = await client.job(job_id);
    const document = expectTranscriptDocument((await client.download(download_url ?? '')).text, job_id);
    expect(document).toMatchObject({
      engine: { name: 'openai', model: 'whisper-1' },
      language: 'en',
      warnings: [],
    });
    expect(splitWords(document.text)).toEqual(expect.arrayContaining(['tables', 'office', 'bridge']));
    const words = document.segments.flatMap((segment) => segment.words ?? []);
    expect(words.at(-1)?.start).toBeGreaterThan(1);
    expect(words.every(({ speaker }) => speaker === 'SPEAKER_1')).toBe(true);
  });

  it('the API key is not leaked', async () => {
    const outcome = await runProgram('processor', [], { ...service.settings, OPENAI_API_KEY: `${key}x` });
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining('OPENAI_API_KEY') });
    expect(outcome.stdout + outcome.stderr + (await service.log())).not.toContain(key);
  });

  it('the service does not start with a missing or unreachable base URL', async () => {
    const missing = await runProgram('processor', [], { ...service.settings, OPENAI_BASE_URL: '' });
    expect(missing).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^.*ENGINE=openai needs OPENAI_BASE_URL\n$/),
    });
    const dead = await runProgram('processor', [], {
      ...service.settings,
      OPENAI_BASE_URL: 'http://127.0.0.1:1/v1',
    });
    expect(dead).toMatchObject({ code: 1, stderr: expect.stringContaining('Check OPENAI_BASE_URL') });
  });
});
