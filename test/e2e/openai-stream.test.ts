import { createServer, type Server, type ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createOpenAiClient } from './support/openai.js';
import { Service } from './support/service.js';

const SAMPLE = new URL('../../assets/sample/dialogue.mp3', import.meta.url);
/** Further requests wait until the test has seen early text. */
const ANSWERED_AT_ONCE = 6;

/** Transcribes every chunk as the same three words; holds all but the first requests until `release`. */
class HeldRecogniser {
  private readonly server: Server;
  private readonly held: ServerResponse[] = [];
  private requests = 0;
  private isReleased = false;

  constructor() {
    this.server = createServer((request, response) => {
      request.resume().once('end', () => {
        if (request.method !== 'POST') return void response.end('{"data":[]}');
        this.requests += 1;
        if (this.isReleased || this.requests <= ANSWERED_AT_ONCE) respond(response);
        else this.held.push(response);
      });
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  release(): void {
    this.isReleased = true;
    for (const response of this.held.splice(0)) respond(response);
  }

  close(): void {
    this.release();
    this.server.closeAllConnections();
    this.server.close();
  }
}

function respond(response: ServerResponse): void {
  const words = ['early', 'words', 'here'].map((word, at) => ({ word, start: 0.3 + at, end: 0.9 + at }));
  const answer = { language: 'english', duration: 5, text: 'early words here', words };
  response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer));
}

let service: Service;
const recogniser = new HeldRecogniser();
beforeAll(async () => {
  const address = await recogniser.listen();
  service = await Service.start({
    ENGINE: 'openai',
    OPENAI_BASE_URL: address,
    OPENAI_CONCURRENCY: '2',
    CHUNK_SECONDS: '5',
    CHUNK_MAX_SECONDS: '10',
  });
}, 120_000);
afterAll(async () => {
  recogniser.close();
  await service?.stop();
});

it('stream=true sends the text of transcribed chunks while the job runs, and the whole text at the end', async () => {
  const openai = await createOpenAiClient(service);
  const file = new File([await readFile(SAMPLE)], 'dialogue.mp3');
  const stream = await openai.audio.transcriptions.create({ file, model: 'zephyr', stream: true });
  const deltas: string[] = [];
  let text: string | null = null;
  let early = 0;
  for await (const event of stream) {
    if (event.type === 'transcript.text.delta') deltas.push(event.delta);
    if (event.type === 'transcript.text.done') ({ text } = event);
    if (early > 0 || deltas.length === 0) continue;
    expect(text).toBeNull();
    early = deltas.length;
    recogniser.release();
  }
  expect(early).toBeGreaterThan(0);
  expect(deltas[0]).toMatch(/^early words here/i);
  expect(deltas.length).toBeGreaterThan(early);
  const countWords = (given: string | null) => given?.match(/\p{L}+/gu)?.length;
  expect(countWords(deltas.join(''))).toBe(countWords(text));
}, 180_000);
