import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeModel } from '../../scripts/material/onnx/library.mjs';
import { renderPieces } from '../../scripts/material/onnx/tones.mjs';
import { buildWavHeader } from '../../scripts/material/wav.mjs';
import { expectTranscriptDocument } from '../e2e/support/transcript-document.js';
import { runProgram } from '../e2e/support/program.js';
import { Service } from '../e2e/support/service.js';

let folder: string;
let service: Service;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-native-'));
  await makeModel(folder, 'tiny-parakeet');
  service = await Service.start({ ENGINE: 'sherpa', MODELS_DIR: folder });
});
afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

function createRecording(pieces: string[]): Uint8Array<ArrayBuffer> {
  const samples = renderPieces(pieces);
  const sound = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  return new Uint8Array(Buffer.concat([buildWavHeader(samples.length), sound]));
}

describe('a service with a sherpa model', () => {
  it('the transcript has the words, times and confidence of the model', async () => {
    const client = await service.client();
    const { job_id } = await client.submit(createRecording(['▁please', '▁call', '▁mister', '▁mor', 'row']));
    expect((await client.events(job_id)).at(-1)?.name).toBe('completed');
    const { download_url } = await client.job(job_id);
    const document = expectTranscriptDocument((await client.download(download_url ?? '')).text, job_id);
    expect(document).toMatchObject({ engine: { name: 'sherpa', model: 'tiny-parakeet' }, language: 'en' });
    expect(document.text.toLowerCase().replace(/\W+/g, ' ').trim()).toBe('please call mister morrow');
    const words = document.segments.flatMap((segment) => segment.words ?? []);
    expect(words[0]?.start).toBeCloseTo(0.5, 0);
    for (const word of words) expect(word).toMatchObject({ confidence: expect.closeTo(0.998, 2) });
  });

  it('the service does not start without one selected model and advises what to do', async () => {
    const settings = { ...service.settings, MODELS_DIR: join(folder, 'absent') };
    expect(await runProgram('processor', [], settings)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no recogniser is installed.*models list/),
    });
    await makeModel(folder, 'tiny-moonshine');
    expect(await runProgram('processor', [], service.settings)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/SHERPA_MODEL to one of tiny-moonshine, tiny-parakeet/),
    });
  });
});
