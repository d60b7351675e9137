import { execFile, spawn } from 'node:child_process';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Service } from '../e2e/support/service.js';
import { until } from '../e2e/support/until.js';
import { InstalledCommandLine } from './support/installed-command-line.js';
import type { Fault, ForwardedRequest, PublicProxy } from './support/public-proxy.js';
import { makeRecording } from './support/recordings.js';
import { ServiceBehindProxy } from './support/service-behind-proxy.js';

const MIB = 2 ** 20;
/** Two parts of 16 MiB, and a third that is shorter. */
const FILE_BYTES = 34 * MIB;
const SECONDS = (FILE_BYTES - 44) / 32_000;

interface StoredState {
  jobId?: string;
  parts: { part_number: number }[];
  completed: boolean;
}

/** A program that uploads a file and transcribes it. */
interface Uploader {
  /** Starts it in a process of its own, which a signal reaches. */
  start(): { kill(): Promise<unknown> };
  /** Runs it to its end. */
  run(): Promise<void>;
  /** What it has saved; undefined if there is none. */
  readState(): Promise<StoredState | undefined>;
}

let installation: ServiceBehindProxy;
let proxy: PublicProxy;
let service: Service;
let commandLine: InstalledCommandLine;
let requests: ForwardedRequest[] = [];

beforeAll(async () => {
  installation = await ServiceBehindProxy.start();
  ({ proxy, service } = installation);
  commandLine = await InstalledCommandLine.create({ ZEPHYR_URL: proxy.url });
  await writeFile(join(commandLine.home, 'talk.wav'), await makeRecording(FILE_BYTES));
  const programs = join(inject('installedPackages'), 'killed-uploads');
  await cp(new URL('./programs', import.meta.url), programs, { recursive: true });
});
afterAll(async () => {
  await commandLine?.remove();
  await installation?.stop();
});

function createClientProgram(apiKey: string): Uploader {
  const state = join(commandLine.home, `${apiKey}.json`);
  const script = join(inject('installedPackages'), 'killed-uploads', 'transcribe-with-state.mjs');
  const parameters = [script, proxy.url, apiKey, join(commandLine.home, 'talk.wav'), state];
  return {
    start: () => {
      const child = spawn(process.execPath, parameters, { stdio: 'ignore' });
      const ended = new Promise((resolve) => child.once('exit', resolve));
      return { kill: () => (child.kill('SIGKILL'), ended) };
    },
    run: async () => void (await promisify(execFile)(process.execPath, parameters)),
    readState: () => readJson(state),
  };
}

function createCommandLineProgram(apiKey: string): Uploader {
  const env = { ZEPHYR_API_KEY: apiKey, XDG_STATE_HOME: join(commandLine.home, apiKey) };
  const folder = join(env.XDG_STATE_HOME, 'zephyr', 'uploads');
  const parameters = ['transcribe', 'talk.wav', '-o', `${apiKey}.txt`];
  return {
    start: () => {
      const { child, ended } = commandLine.start(parameters, env);
      return { kill: () => (child.kill('SIGKILL'), ended) };
    },
    run: async () => {
      expect(await commandLine.run(parameters, { env })).toMatchObject({ code: 0, stdout: '' });
      expect(await readFile(join(commandLine.home, `${apiKey}.txt`), 'utf8')).toContain('Good morning');
    },
    readState: async () => {
      const names = await readdir(folder).catch(() => []);
      const name = names.find((each) => each.endsWith('.json'));
      return name === undefined ? undefined : readJson(join(folder, name));
    },
  };
}

async function readJson(path: string): Promise<StoredState | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as StoredState);
}

const getPartNumber = ({ method, path }: ForwardedRequest) =>
  method === 'PUT' ? Number(new URL(path, proxy.url).searchParams.get('part')) : undefined;
const listSentParts = () =>
  requests
    .map(getPartNumber)
    .filter((part) => part !== undefined)
    .toSorted((a, b) => a - b);
const countRequests = (end: string) => requests.filter(({ path }) => path.endsWith(end)).length;

/** Starts a new record of what is requested. */
function applyFault(chooseFault: (request: ForwardedRequest) => Fault): void {
  requests = [];
  proxy.held.length = 0;
  proxy.chooseFault = (request) => {
    requests.push(request);
    return chooseFault(request);
  };
}

async function expectOneJobOfWholeFile(apiKey: string): Promise<void> {
  const client = await service.client(apiKey);
  const { text } = await client.send('GET', '/api/v1/jobs?fields=status,duration_seconds');
  const { jobs } = JSON.parse(text) as { jobs: { status: string; duration_seconds: number }[] };
  expect(jobs.map(({ status }) => status)).toEqual(['completed']);
  expect(jobs[0]?.duration_seconds).toBeCloseTo(SECONDS, 0);
}

describe.each([
  ['a program with the client', createClientProgram],
  ['zephyr transcribe', createCommandLineProgram],
])('%s that is killed and started again', (_, createUploader) => {
  it('sends only the part that was missing, and makes one job', async () => {
    const { api_key: apiKey } = await service.openAccount(1_000_000);
    const uploader = createUploader(apiKey);
    applyFault((request) => (getPartNumber(request) === 3 ? 'hold-request' : 'none'));
    const running = uploader.start();
    await until('two parts are stored, and the third is on its way', async () => {
      const state = await uploader.readState();
      return state?.parts.length === 2 && proxy.held.length === 1;
    });
    await running.kill();
    const killed = await uploader.readState();
    expect(killed).toMatchObject({ completed: false });
    expect(killed?.parts.map((part) => part.part_number).toSorted((a, b) => a - b)).toEqual([1, 2]);
    expect(listSentParts()).toEqual([1, 2, 3]);

    applyFault(() => 'none');
    await uploader.run();
    expect(listSentParts()).toEqual([3]);
    expect(await uploader.readState()).toBeUndefined();
    await expectOneJobOfWholeFile(apiKey);
  });

  it('makes one job when it was killed before the response to the create', async () => {
    const { api_key: apiKey } = await service.openAccount(1_000_000);
    const uploader = createUploader(apiKey);
    applyFault(({ path }) => (path.endsWith('/multipart/create') ? 'hold-response' : 'none'));
    const running = uploader.start();
    await until('the job is made', () => proxy.held.length === 1);
    await running.kill();
    expect((await uploader.readState())?.jobId).toBeUndefined();

    applyFault(() => 'none');
    await uploader.run();
    expect(listSentParts()).toEqual([1, 2, 3]);
    await expectOneJobOfWholeFile(apiKey);
  });

  it('sends nothing again when it was killed before the response to the complete', async () => {
    const { api_key: apiKey } = await service.openAccount(1_000_000);
    const uploader = createUploader(apiKey);
    applyFault(({ path }) => (path.endsWith('/multipart/complete') ? 'hold-response' : 'none'));
    const running = uploader.start();
    await until('the upload is complete', () => proxy.held.length === 1);
    await running.kill();
    expect(await uploader.readState()).toMatchObject({ completed: false });

    applyFault(() => 'none');
    await uploader.run();
    expect(listSentParts()).toEqual([]);
    await expectOneJobOfWholeFile(apiKey);
  });

  it('follows the same job when it was killed while the job was transcribed', async () => {
    const { api_key: apiKey } = await service.openAccount(1_000_000);
    const uploader = createUploader(apiKey);
    applyFault(({ path }) => (path.endsWith('/stream') ? 'hold-request' : 'none'));
    const running = uploader.start();
    await until('it follows the job', () => proxy.held.length === 1);
    await running.kill();
    expect(await uploader.readState()).toMatchObject({ completed: true });

    applyFault(() => 'none');
    await uploader.run();
    expect(listSentParts()).toEqual([]);
    expect(countRequests('/create') + countRequests('/complete')).toBe(0);
    await expectOneJobOfWholeFile(apiKey);
  });
});
