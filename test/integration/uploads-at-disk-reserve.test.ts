import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FreeDiskSpaceCheck } from '../../apps/api/src/admission/free-disk-space-check.js';
import type { ApiOptions } from '../../apps/api/src/api-options.js';
import { StreamedAudioJobService } from '../../apps/api/src/transcribe/streamed-audio-job.service.js';
import { createJobWorld, type World } from '../support/job-world.js';
import { type ObjectServer, startObjectServer } from '../support/object-server.js';

const MIB = 2 ** 20;
const RESERVE = 10 * MIB;
const TYPE = 'audio/wav';
const OPTIONS = { audioBodyBytes: 1, minTransferRate: { idleTimeoutMs: 1, bytesPerSecond: 1 } } as ApiOptions;

let freeBytes: number;
let server: ObjectServer;
let world: World;
const createCheck = () =>
  new FreeDiskSpaceCheck({ folder: '/disk', bytes: RESERVE }, async () => ({
    free: freeBytes,
    reserve: RESERVE,
  }));
beforeAll(async () => {
  world = await createJobWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  freeBytes = RESERVE + 200 * MIB;
  server = await startObjectServer({ maxPutBytes: 500 * MIB }, undefined, createCheck());
  return server.close;
});

/** Others fill the disk when the body has begun. */
async function* sendWhileTheDiskFills(): AsyncGenerator<Uint8Array> {
  const block = Buffer.alloc(MIB);
  for (let sent = 0; sent < 100; sent += 1) {
    yield block;
    freeBytes = RESERVE - 1;
  }
}

async function put(url: string, body: Uint8Array | ReadableStream): Promise<unknown> {
  const options = { method: 'PUT', headers: { 'content-type': TYPE }, body, duplex: 'half' };
  const response = await fetch(url, options as RequestInit);
  const { code } = (await response.json()) as { code: string };
  return [response.status, code, response.headers.get('retry-after')];
}

describe('a PUT that would take what is reserved of the disk is rejected with 503', () => {
  const presign = () => server.store.presignPut({ key: 'a', contentType: TYPE, expiresIn: 60 });

  it('before its body, if its length is known', async () => {
    freeBytes = RESERVE + MIB;
    expect(await put(await presign(), new Uint8Array(MIB + 1))).toEqual([503, 'service_unavailable', '30']);
    expect(await server.store.head('a')).toBeNull();
  });

  it('during its body', async () => {
    const body = ReadableStream.from(sendWhileTheDiskFills());
    expect(await put(await presign(), body)).toEqual([503, 'service_unavailable', '30']);
    expect(await server.store.head('a')).toBeNull();
  });

  it('during the body of a part', async () => {
    const uploadId = await server.store.createMultipart('a', TYPE);
    const url = await server.store.presignPart({ key: 'a', uploadId, partNumber: 1, expiresIn: 60 });
    const body = ReadableStream.from(sendWhileTheDiskFills());
    expect(await put(url, body)).toEqual([503, 'service_unavailable', '30']);
  });
});

describe('the audio of a one-request transcription that would take what is reserved of the disk', () => {
  const createService = () =>
    new StreamedAudioJobService(
      world.dataSource,
      server.store,
      ...([{}, {}, {}] as [never, never, never]),
      createCheck(),
      OPTIONS,
    );
  const rejection = { code: 'service_unavailable', retryAfter: 30 };

  it('is rejected before its body, if the length of that is known', async () => {
    const stored = createService().storeAudio(world.accountId, sendWhileTheDiskFills(), TYPE, 200 * MIB + 1);
    await expect(stored).rejects.toMatchObject(rejection);
    expect(await world.rows('SELECT FROM audio_intake')).toEqual([]);
  });

  it('is rejected during its body, and nothing of it stays', async () => {
    const stored = createService().storeAudio(world.accountId, sendWhileTheDiskFills(), TYPE);
    await expect(stored).rejects.toMatchObject(rejection);
    expect(await server.store.head(`audio/${world.accountId}`)).toBeNull();
    expect(await world.rows('SELECT FROM audio_intake WHERE expires_at > now()')).toEqual([]);
  });
});
