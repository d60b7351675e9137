import type { ClientRequest } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { type Bytes, silentWav, synthesizeSpeech } from './support/audio.js';
import { type ApiResponse, type Client } from './support/client.js';
import { waitUntilBeingStored } from './support/data-dir.js';
import {
  collectMessages,
  type StreamedTranscription,
  transcribeStreamed,
  openTranscribeRequest,
  readErrorResponse,
} from './support/streamed-transcription.js';
import { expectProblem } from './support/problem.js';
import { Service } from './support/service.js';
import { until } from './support/until.js';

const LEASE_SECONDS = 2;

let service: Service;
let client: Client;
let audio: Bytes;
let before: Set<string>;

beforeAll(async () => {
  service = await Service.start({
    ...inject('engineSettings'),
    IDEMPOTENCY_LEASE_SECONDS: String(LEASE_SECONDS),
  });
  client = await service.client();
  audio = await synthesizeSpeech('I can see the library from the small mountain.');
});
afterAll(() => service?.stop());
beforeEach(async () => {
  before = new Set(await client.listJobIds());
});

/** The jobs that the test created, newest first. */
async function listNewJobs(): Promise<string[]> {
  return (await client.listJobIds()).filter((id) => !before.has(id));
}

let keys = 0;
const newKey = () => `key-${(keys += 1)}`;
const withKey = (key: string) => ({ 'Idempotency-Key': key });

function expectReused(response: ApiResponse): void {
  const { errors } = expectProblem(response, 422, 'idempotency_key_reused');
  expect(errors?.map(({ field }) => field)).toEqual(['Idempotency-Key']);
}

function expectInProgress(response: ApiResponse): void {
  expectProblem(response, 409, 'idempotency_key_in_use');
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
}

describe('§4.12 POST /transcribe with an Idempotency-Key', () => {
  const readJobId = ({ response }: StreamedTranscription) => String(response.headers['x-job-id']);
  const isReplayed = ({ response }: StreamedTranscription) =>
    response.headers['idempotency-replayed'] === 'true';

  /** Sends a request that should be rejected. */
  function sendRejected(key: string, body: Bytes, query = '', caller = client): Promise<ApiResponse> {
    const request = openTranscribeRequest(caller, query, withKey(key));
    const pendingResponse = readErrorResponse(request);
    request.end(body);
    return pendingResponse;
  }

  it('a repeated request streams the first job and charges nothing', async () => {
    const seconds = Math.ceil((audio.length - 44) / 32_000);
    const caller = await service.client((await service.openAccount(seconds)).api_key);
    const key = newKey();
    const first = await transcribeStreamed(caller, audio, '?output_type=txt', withKey(key));
    const firstMessages = await collectMessages(first);
    expect(isReplayed(first)).toBe(false);
    expect(firstMessages.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['accepted', 'completed', 'transcript']),
    );
    // Every credit is spent: a request for another job is rejected.
    expectProblem(
      await sendRejected(newKey(), audio, '?output_type=txt', caller),
      402,
      'insufficient_credits',
    );

    const headers = { ...withKey(key), 'Content-Type': 'application/octet-stream' };
    const repeated = await transcribeStreamed(caller, audio, '?output_type=txt', headers);
    expect(isReplayed(repeated)).toBe(true);
    expect(readJobId(repeated)).toBe(readJobId(first));
    const repeatedMessages = await collectMessages(repeated);
    const summarize = (events: typeof firstMessages) =>
      events
        .filter(({ event }) => event !== 'progress' && event !== 'waiting')
        .map(({ event, data }) => (event === 'transcript' ? `${event} ${data}` : event));
    expect(summarize(repeatedMessages)).toEqual(summarize(firstMessages));
    expect(await caller.listJobIds()).toEqual([readJobId(first)]);
  });

  it('a repeated request during the first job streams its events live', async () => {
    const key = newKey();
    const first = await transcribeStreamed(client, audio, '', withKey(key));
    const repeated = await transcribeStreamed(client, audio, '', withKey(key));
    expect([isReplayed(repeated), readJobId(repeated)]).toEqual([true, readJobId(first)]);
    for (const events of await Promise.all([collectMessages(first), collectMessages(repeated)]))
      expect(events.map(({ event }) => event)).toEqual(
        expect.arrayContaining(['accepted', 'completed', 'transcript']),
      );
    expect(await listNewJobs()).toHaveLength(1);
  });

  it('the same key with other audio or options answers 422 and names the header', async () => {
    const key = newKey();
    const first = await transcribeStreamed(client, audio, '?nltk=true', withKey(key));
    expectReused(await sendRejected(key, silentWav(1), '?nltk=true'));
    expectReused(await sendRejected(key, audio.subarray(0, -1), '?nltk=true'));
    expectReused(await sendRejected(key, audio, '?nltk=false'));
    expect(readJobId(await transcribeStreamed(client, audio, '?nltk=true', withKey(key)))).toBe(
      readJobId(first),
    );
    expect(await listNewJobs()).toHaveLength(1);
  });

  it('a repeated request during the first upload answers 409, and the key is free after a disconnect', async () => {
    const key = newKey();
    const slowRequest = await startSlowRequest(key);
    // Longer than the lease: a sender that continues keeps the key.
    const startedAt = Date.now();
    await until('more than a lease has passed', async () => {
      slowRequest.write(audio.subarray(0, 10));
      const request = openTranscribeRequest(client, '', {
        ...withKey(key),
        'Content-Length': String(audio.length),
      });
      const pendingResponse = readErrorResponse(request);
      request.flushHeaders();
      expectInProgress(await pendingResponse);
      return Date.now() - startedAt > LEASE_SECONDS * 1_500;
    });
    slowRequest.destroy();
    const job = await until('the key is free', () => transcribeStreamed(client, audio, '', withKey(key)));
    expect(isReplayed(job)).toBe(false);
    expect(await listNewJobs()).toEqual([readJobId(job)]);
  });
});

/** A request to `POST /transcribe` that holds its idempotency key while its body is incomplete. */
async function startSlowRequest(key: string): Promise<ClientRequest> {
  const request = openTranscribeRequest(client, '', withKey(key)).on('error', () => undefined);
  await waitUntilBeingStored(service.dataDir, () => request.write(audio.subarray(0, 1_000)));
  return request;
}

describe('a killed API process', () => {
  it('during an upload frees its key after the lease, and one job exists', async () => {
    const key = newKey();
    const interrupted = await startSlowRequest(key);
    const ended = new Promise((resolve) => interrupted.once('close', resolve));
    await service.kill('api', 'SIGKILL');
    await ended;
    await service.waitUntilReady();
    const { response } = await until('the key is free', () =>
      transcribeStreamed(client, audio, '', withKey(key)),
    );
    expect(response.headers['idempotency-replayed']).toBeUndefined();
    expect(await listNewJobs()).toEqual([response.headers['x-job-id']]);
  });
});
