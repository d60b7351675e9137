import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { encodeWav } from '../../wav/wav.js';
import { OpenAiEngine } from './openai-engine.js';

it('chunks of sparse speech are not joined while the responses of the server have no times', async () => {
  const text = 'Ja. Genau.';
  const segment = { text, start: 0, end: 1 };
  const untimed = { text, start: null, end: null };
  const word = (written: string, start: number) => ({ word: written, start, end: start + 0.5 });
  const cases: [body: object, packedSeconds: number | undefined][] = [
    [{ text }, undefined],
    [{ text: '' }, undefined],
    [{ text, segments: [segment] }, 28],
    [{ text, segments: [untimed] }, undefined],
    [{ text, words: [word('Ja', 0), word('Genau', 0.5)] }, 28],
    [{ text: `${text} Das Angebot haben wir.`, segments: [segment] }, undefined],
    [{ text, segments: [segment] }, 28],
    [{ text: '' }, 28],
    [{ text, segments: [{ text, start: 0, end: 0 }] }, undefined],
    [{ text, segments: [segment] }, 28],
    [{ text, segments: [{ text, start: 0, end: 3 }] }, undefined],
  ];
  const engine = await createEngineFor(cases.map(([body]) => body));
  const folder = await mkdtemp(join(tmpdir(), 'zephyr-openai-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'chunk.wav');
  await writeFile(path, encodeWav(Int16Array.from({ length: 48_000 }, (_, at) => 8_000 * Math.sin(at / 6))));
  expect(engine.packedSeconds).toBe(28);
  for (const [body, packedSeconds] of cases) {
    const options = { vocabulary: [], signal: new AbortController().signal };
    await engine.transcribe({ path, duration: 3 }, options);
    expect([body, engine.packedSeconds]).toEqual([body, packedSeconds]);
  }
});

async function createEngineFor(bodies: readonly object[]): Promise<OpenAiEngine> {
  const left = [...bodies];
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.end(JSON.stringify(left.shift())));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const engine = new OpenAiEngine({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    model: 'm',
    audioFormat: 'wav',
    vocabularyFields: [],
    formFields: [],
    concurrency: 1,
    timeoutSeconds: 10,
    attempts: 1,
  });
  onTestFinished(() => engine.close());
  return engine;
}
