import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFreePort } from '../support/child-process.js';
import { synthesizeSpeech, splitWords } from './support/audio.js';
import { Client, expectStatus } from './support/client.js';
import { createDataDir, removeDataDir } from './support/data-dir.js';
import { expectTranscriptDocument } from './support/transcript-document.js';
import { expectContiguous } from './support/events.js';
import { findProcesses } from './support/processes.js';
import { type ProgramExit, Program } from './support/program.js';
import { until } from './support/until.js';

const TEXT = 'There are ninety tables between the office and the bridge.';
const EXIT_TIMEOUT_MS = 60_000;
const GRACEFUL_EXIT: ProgramExit = { code: 0, signal: null };

let dataDir: string;
let apis: Program[];
let processors: Program[];
let clients: [Client, Client];

/** All four start at the same moment with an empty folder and must use the same database, secret and account. */
beforeAll(async () => {
  dataDir = await createDataDir();
  const ports = [await findFreePort(), await findFreePort()] as const;
  const logFile = join(dataDir, 'e2e.log');
  const env = {
    DATA_DIR: dataDir,
    LEASE_SECONDS: '3',
    SWEEP_SECONDS: '1',
    CHUNK_SECONDS: '5',
    CHUNK_MAX_SECONDS: '10',
  };
  apis = ports.map((port) => Program.launch('api', [], { ...env, PORT: String(port) }, logFile));
  processors = ports.map((port) => Program.launch('processor', [], { ...env, PORT: String(port) }, logFile));
  await Promise.all([...apis, ...processors].map((program) => program.waitUntilReady()));
  const key = (await readFile(join(dataDir, 'dev-api-key'), 'utf8')).trim();
  clients = [
    new Client(`http://127.0.0.1:${ports[0]}`, key),
    new Client(`http://127.0.0.1:${ports[1]}`, key),
  ];
});
afterAll(async () => {
  await Promise.all([...(apis ?? []), ...(processors ?? [])].map((program) => program.stop()));
  await removeDataDir(dataDir);
});

describe('two APIs and two processors on shared backends', () => {
  it('create one development account together', async () => {
    const [one, other] = clients;
    const { job_id } = await one.create({ file_size: 1 });
    expect((await other.job(job_id)).status).toBe('processing');
  });

  it('serve the upload, completion, stream and transcript of a job at either API', async () => {
    const [one, other] = clients;
    const audio = await synthesizeSpeech(TEXT);
    const created = await one.create({ file_size: audio.length });
    const path = new URL(created.upload_url);
    const otherUrl = `${other.baseUrl}${path.pathname}${path.search}`;
    expectStatus(200, await other.put(otherUrl, audio, created.content_type));
    const early = one.events(created.job_id);
    expect(expectStatus(200, await other.complete(created.job_id))).toEqual({ status: 'queued' });
    const late = await other.events(created.job_id);
    const formatEvent = ({ name, id }: { name: string; id: string }) => `${id} ${name}`;
    expectContiguous(late);
    expect((await early).map(formatEvent)).toEqual(late.map(formatEvent));
    for (const url of [created.download_url, late.at(-1)?.data['download_url'] as string]) {
      const { text } = expectTranscriptDocument((await one.download(url)).text, created.job_id);
      expect(splitWords(text)).toEqual(splitWords(TEXT));
    }
  });

  it('share many concurrent jobs, each of which ends once', async () => {
    const audio = await synthesizeSpeech('Good morning.');
    const jobs = await Promise.all(
      Array.from({ length: 8 }, async (_, index) =>
        (index % 2 === 0 ? clients[0] : clients[1]).submit(audio),
      ),
    );
    const eventLists = await Promise.all(jobs.map(({ job_id }) => clients[1].events(job_id)));
    for (const events of eventLists) {
      expectContiguous(events);
      expect(events.at(-1)?.name).toBe('completed');
    }
  });

  it('continue when an API and a processor stop, and no process is left when all have stopped', async () => {
    const { job_id } = await clients[0].submit(await synthesizeSpeech(`${TEXT} ${TEXT}`));
    expect(await apis[0]?.stop()).toEqual(GRACEFUL_EXIT);
    expect(await processors[0]?.stop()).toEqual(GRACEFUL_EXIT);
    expect((await clients[1].events(job_id)).at(-1)?.name).toBe('completed');
    expect(await apis[1]?.stop()).toEqual(GRACEFUL_EXIT);
    expect(await processors[1]?.stop()).toEqual(GRACEFUL_EXIT);
    await until(
      'no process is left',
      async () => (await findProcesses(dataDir)).length === 0,
      EXIT_TIMEOUT_MS,
    );
  });
});
