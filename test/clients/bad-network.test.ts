import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Service } from '../e2e/support/service.js';
import { synthesizeSpeech } from '../e2e/support/audio.js';
import type { Fault, ForwardedRequest, PublicProxy } from './support/public-proxy.js';
import { padWithSilence } from './support/recordings.js';
import { ServiceBehindProxy } from './support/service-behind-proxy.js';

const FILES = Number(process.env['BAD_NETWORK_FILES'] ?? 20);
const MAX_BYTES = Number(process.env['BAD_NETWORK_MAX_MB'] ?? 8) * 2 ** 20;
const MIN_BYTES = 2 ** 20;
const AT_A_TIME = 8;
/** Of every request, in this order of likelihood. The others are delayed or pass. */
const FAULTS: [number, Fault][] = [
  [0.08, 'lose-request'],
  [0.16, 'lose-response'],
  [0.24, 'cut-response'],
  [0.36, 'repeat'],
  [0.6, { delayMs: 100 }],
];

interface ClientModule {
  Zephyr: new (options: object) => {
    transcribe(
      path: string,
      options: object,
    ): Promise<{ job: { job_id: string }; transcript: { text: string } }>;
    jobs: {
      list(query: object): AsyncIterable<{ job_id: string; status: string; metadata: { file: string } }>;
    };
  };
}

let installation: ServiceBehindProxy;
let proxy: PublicProxy;
let service: Service;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bad-network-'));
  installation = await ServiceBehindProxy.start();
  ({ proxy, service } = installation);
});
afterAll(async () => {
  await installation?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The same fault for the same attempt of the same request, in every run. */
function createFaults(counts: Map<string, number>): (request: ForwardedRequest) => Fault {
  const attempts = new Map<string, number>();
  return ({ method, path, headers }) => {
    const request = `${method} ${path.replace(/\?.*/, '')} ${String(headers['idempotency-key'] ?? '')}`;
    const attempt = (attempts.get(request) ?? 0) + 1;
    attempts.set(request, attempt);
    const digest = createHash('sha256').update(`${request} ${attempt}`).digest();
    const chance = digest.readUInt32BE() / 2 ** 32;
    const fault = FAULTS.find(([limit]) => chance < limit)?.[1] ?? 'none';
    const name = typeof fault === 'string' ? fault : 'delay';
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return fault;
  };
}

describe('the packed client on a network that loses, cuts, delays and repeats requests', () => {
  it(`transcribes each of ${FILES} files exactly once`, { timeout: 60_000 + FILES * 30_000 }, async () => {
    const speech = await synthesizeSpeech('I can see the library from the small mountain.');
    const names = Array.from({ length: FILES }, (_, index) => `talk-${index}.wav`);
    const path = join(inject('installedPackages'), 'node_modules', 'zephyr-client', 'dist', 'index.js');
    const { Zephyr } = (await import(pathToFileURL(path).href)) as ClientModule;
    const zephyr = new Zephyr({ baseUrl: proxy.url, apiKey: await service.apiKey(), maxRetries: 12 });
    const counts = new Map<string, number>();
    proxy.chooseFault = createFaults(counts);

    const jobs = new Map<string, string>();
    const queue = names.entries();
    const work = async () => {
      for (const [index, name] of queue) {
        const bytes = Math.round(MIN_BYTES + ((MAX_BYTES - MIN_BYTES) * index) / Math.max(1, FILES - 1));
        await writeFile(join(folder, name), padWithSilence(speech, bytes));
        const options = { metadata: { file: name }, idempotencyKey: name, partSize: 5 * 2 ** 20 };
        const { job, transcript } = await zephyr.transcribe(join(folder, name), options);
        expect(transcript.text).not.toBe('');
        jobs.set(name, job.job_id);
        await rm(join(folder, name));
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, work));

    const listed = [];
    for await (const each of zephyr.jobs.list({ fields: 'status,metadata', limit: 10 })) listed.push(each);
    const expected = names.map((name) => ({
      job_id: jobs.get(name),
      status: 'completed',
      metadata: { file: name },
    }));
    const found = listed.map(({ job_id: id, status, metadata }) => ({ job_id: id, status, metadata }));
    const byName = (a: { metadata: { file: string } }, b: { metadata: { file: string } }) =>
      a.metadata.file < b.metadata.file ? -1 : 1;
    expect(found.toSorted(byName)).toEqual(expected.toSorted(byName));
    // Otherwise nothing was shown.
    for (const fault of ['lose-request', 'lose-response', 'cut-response', 'repeat', 'delay'])
      expect.soft(counts.get(fault) ?? 0, fault).toBeGreaterThan(0);
  });
});
