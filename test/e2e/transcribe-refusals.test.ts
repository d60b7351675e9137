import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from './support/client.js';
import { listStoredFiles } from './support/data-dir.js';
import { measurePeakMemoryIncrease } from './support/measure-memory.js';
import {
  collectMessages,
  waitForResponse,
  transcribeStreamed,
  openTranscribeRequest,
  readErrorResponse,
} from './support/streamed-transcription.js';
import { expectInvalidFields, expectProblem } from './support/problem.js';
import { Service } from './support/service.js';
import { until } from './support/until.js';

const LIMIT = 160_000_000;
const MIB = 2 ** 20;

let service: Service;
let client: Client;
/** A client of an account without a job. */
let unused: Client;

beforeAll(async () => {
  service = await Service.start({ MAX_AUDIO_BODY_BYTES: String(LIMIT) });
  client = await service.client();
  unused = await service.client((await service.openAccount(10)).api_key);
});
afterAll(() => service?.stop());

/** Sends headers with a `Content-Length`, but no body. */
async function sendHeadersAndReadError(query = '', headers: Record<string, string> = {}, caller = client) {
  const request = openTranscribeRequest(caller, query, { 'Content-Length': '1000', ...headers });
  const pendingResponse = readErrorResponse(request);
  request.flushHeaders();
  return pendingResponse;
}

function* generateChunks(): Generator<Buffer> {
  for (const chunk = Buffer.alloc(MIB); ;) yield chunk;
}

describe('§4.12 requests rejected before the body is read', () => {
  it.each([
    ['model', 'other'],
    ['output_type', 'doc'],
    ['word_timestamps', '1'],
    ['speaker_labels', 'yes'],
    ['nltk', 'TRUE'],
    ['tier', 'premium'],
    ['callback_url', 'ftp://example.com/'],
    ['callback_url', 'http://127.0.0.1/'],
    ['custom_vocabulary', 'x'.repeat(101)],
  ])('%s=%s answers 422 and names the parameter', async (name, value) => {
    expectInvalidFields(await sendHeadersAndReadError(`?${name}=${encodeURIComponent(value)}`), name);
  });

  it('a duplicate parameter answers 422 and is named', async () => {
    expectInvalidFields(
      await sendHeadersAndReadError('?custom_vocabulary=a&custom_vocabulary=b'),
      'custom_vocabulary',
    );
    expectInvalidFields(await sendHeadersAndReadError('?nltk=true&nltk=true'), 'nltk');
  });

  it.each(['application/json', 'application/x-www-form-urlencoded', 'text/plain'])(
    'the content type %s answers 422 naming Content-Type',
    async (type) => {
      expectInvalidFields(await sendHeadersAndReadError('', { 'Content-Type': type }), 'Content-Type');
    },
  );

  it('a request without a valid key answers 401, whatever else is invalid', async () => {
    expectProblem(
      await sendHeadersAndReadError('?nltk=1', {}, new Client(service.baseUrl, 'zk_no')),
      401,
      'invalid_api_key',
    );
  });

  it('an account without credits gets 402, after 422 and before 413', async () => {
    const clientWithoutCredits = await service.client((await service.openAccount(0)).api_key);
    const tooLong = { 'Content-Length': String(LIMIT + 1) };
    expectInvalidFields(await sendHeadersAndReadError('?nltk=1', tooLong, clientWithoutCredits), 'nltk');
    expectProblem(
      await sendHeadersAndReadError('', tooLong, clientWithoutCredits),
      402,
      'insufficient_credits',
    );
  });

  it('a Content-Length over the limit answers 413', async () => {
    expectProblem(
      await sendHeadersAndReadError('', { 'Content-Length': String(LIMIT + 1) }),
      413,
      'file_too_large',
    );
  });

  it.each([
    ['Content-Length', '0'],
    ['Transfer-Encoding', 'chunked'],
  ])('an empty body (%s: %s) answers 422', async (name, value) => {
    const request = openTranscribeRequest(client, '', { [name]: value });
    const pendingResponse = readErrorResponse(request);
    request.end();
    expectInvalidFields(await pendingResponse, 'body');
  });
});

describe('§4.12 the body of POST /transcribe', () => {
  it('answers 413 and creates no job or file when it exceeds the limit', async () => {
    const request = openTranscribeRequest(unused);
    const pendingResponse = readErrorResponse(request);
    Readable.from(generateChunks()).pipe(request);
    expectProblem(await pendingResponse, 413, 'file_too_large');
    expect(await listStoredFiles(service.dataDir)).toEqual([]);
    expect((await unused.send('GET', '/api/v1/jobs')).text).toContain('"jobs":[]');
  });

  it('creates no job and deletes its files when the client disconnects', async () => {
    const request = openTranscribeRequest(unused);
    const pendingResponse = waitForResponse(request);
    request.write(Buffer.alloc(3 * MIB));
    await until('bytes arrive', async () => (await listStoredFiles(service.dataDir)).length > 0);
    request.destroy();
    await expect(pendingResponse).rejects.toThrow();
    await until('the files are deleted', async () => (await listStoredFiles(service.dataDir)).length === 0);
    expect((await unused.send('GET', '/api/v1/jobs')).text).toContain('"jobs":[]');
  });

  it('of 150 MB does not grow the memory of the API', async () => {
    const increaseBytes = await measurePeakMemoryIncrease(await service.pidOf('api'), async () => {
      const messages = await collectMessages(await transcribeStreamed(client, Buffer.alloc(150 * MIB)));
      expect(messages.map(({ event }) => event)).toEqual(['accepted', 'failed']);
    });
    const increaseMebibytes = increaseBytes / MIB;
    console.log(
      `a body of 150 MiB raised the resident memory of the API by ${increaseMebibytes.toFixed(0)} MiB`,
    );
    expect(increaseMebibytes).toBeLessThan(64);
  });
});
