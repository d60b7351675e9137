import { type ClientRequest, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFreePort } from '../support/child-process.js';
import { type Bytes, synthesizeSpeech } from '../e2e/support/audio.js';
import { Client, type JobEvent } from '../e2e/support/client.js';
import { expectContiguous, isTerminal } from '../e2e/support/events.js';
import { Program } from '../e2e/support/program.js';
import { Service } from '../e2e/support/service.js';
import { until } from '../e2e/support/until.js';

const TEXT = 'There are ninety tables between the office and the bridge.';
const STREAMS = 200;
const SHUTDOWN_SECONDS = 10;

let service: Service;
let client: Client;
let audio: Bytes;

beforeAll(async () => {
  service = await Service.start({
    CHUNK_SECONDS: '5',
    CHUNK_MAX_SECONDS: '10',
    SMALL_FILE_BYTES: '1024',
    STREAM_HEARTBEAT_SECONDS: '1',
    SHUTDOWN_SECONDS: String(SHUTDOWN_SECONDS),
  });
  client = await service.client();
  audio = await synthesizeSpeech(`${TEXT} `.repeat(3));
});
afterAll(() => service?.stop());

/** Starts a second API process on the same data. */
async function startReplica(): Promise<{ program: Program; caller: Client }> {
  const port = await findFreePort();
  const env = { ...service.settings, PORT: String(port) };
  const program = Program.launch('api', [], env, service.logFile);
  await program.waitUntilReady();
  return { program, caller: new Client(`http://127.0.0.1:${port}`, client.apiKey) };
}

async function countServedStreams(caller: Client): Promise<number> {
  const { text } = await caller.send('GET', '/metrics');
  return Number(/^zephyr_streams\{state="served".*\} (\d+)$/m.exec(text)?.[1]);
}

describe('§4.9 resuming a stream', () => {
  it('a stream that is resumed at another, restarted API after every event misses and repeats no event', async () => {
    let { program, caller } = await startReplica();
    const { job_id } = await client.submit(audio);
    const events: JobEvent[] = [];
    try {
      for (let turn = 0; !events.some(isTerminal); turn += 1) {
        const target = turn % 2 ? caller : client;
        for await (const event of target.stream(job_id, { lastEventId: events.at(-1)?.id ?? '0' })) {
          if (event.name === '') continue;
          events.push(event);
          break;
        }
        if (turn === 1) {
          program.kill('SIGKILL');
          ({ program, caller } = await startReplica());
        }
      }
    } finally {
      await program.stop();
    }
    expect(events.length).toBeGreaterThan(3);
    expectContiguous(events);
    expect(await client.events(job_id)).toMatchObject(events.map(({ id, name }) => ({ id, name })));
  });
});

describe('SIGTERM', () => {
  it(`SIGTERM closes ${STREAMS} open streams gracefully within the time limit`, async () => {
    const { program, caller } = await startReplica();
    const { job_id } = await client.create({ file_size: 1 });
    const ends: string[] = [];
    const open = Array.from({ length: STREAMS }, () => openStream(caller, job_id, (end) => ends.push(end)));
    await until('all streams are served', async () => (await countServedStreams(caller)) === STREAMS);
    const startedAt = performance.now();
    expect(await program.stop()).toEqual({ code: 0, signal: null });
    const elapsedMs = performance.now() - startedAt;
    console.log(`${STREAMS} streams ended ${Math.round(elapsedMs)} ms after SIGTERM`);
    expect(elapsedMs).toBeLessThan(SHUTDOWN_SECONDS * 1_000);
    await until('every client noticed the end', () => ends.length === STREAMS);
    expect(new Set(ends)).toEqual(new Set(['end']));
    for (const stream of open) stream.destroy();
  });
});

/** Opens a stream on a separate connection. @param onEnd is called with `cut` if the connection broke */
function openStream(caller: Client, jobId: string, onEnd: (kind: 'end' | 'cut') => void): ClientRequest {
  const headers = { 'X-API-Key': caller.apiKey ?? '' };
  const streamRequest = request(`${caller.baseUrl}/api/v1/jobs/${jobId}/stream`, { headers, agent: false });
  streamRequest.on('error', () => undefined);
  streamRequest.on('response', (response) => {
    response.resume();
    response.once('close', () => onEnd(response.complete ? 'end' : 'cut'));
    response.on('error', () => undefined);
  });
  streamRequest.end();
  return streamRequest;
}
