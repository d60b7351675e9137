import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { HostRequestError } from '../../libs/speech/src/sherpa/host/host-process.js';
import {
  type SherpaHostPoolOptions,
  SherpaHostPool,
} from '../../libs/speech/src/sherpa/host/sherpa-host-pool.js';
import { detectSandboxProtections } from '../../libs/speech/src/tool/sandbox-capabilities.js';
import { ToolFailedError, ToolTimeoutError } from '../../libs/speech/src/tool/tool.js';
import { makeModel } from '../../scripts/material/onnx/library.mjs';
import { speak } from '../../scripts/material/onnx/tones.mjs';
import { findNativeHostPid } from '../support/find-native-host-pid.js';

const never = new AbortController().signal;
const PLEASE = speak(['▁please', '▁call']);
/** Sound that keeps a tiny model at work for seconds. */
const LONG = speak(['slow', 'slow', 'slow', 'slow', 'slow', 'slow', 'slow', 'slow']);

let folder: string;
let model: object;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-hosts-'));
  model = await moonshine('');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function moonshine(place: string): Promise<object> {
  const home = await makeModel(join(folder, place), 'tiny-moonshine');
  return {
    modelConfig: {
      moonshine: {
        preprocessor: join(home, 'preprocess.onnx'),
        encoder: join(home, 'encode.onnx'),
        uncachedDecoder: join(home, 'uncached_decode.onnx'),
        cachedDecoder: join(home, 'cached_decode.onnx'),
      },
      tokens: join(home, 'tokens.txt'),
    },
  };
}

function hostsOf(options: Partial<SherpaHostPoolOptions> = {}) {
  const hosts = new SherpaHostPool({ hosts: 2, models: [folder], ...options });
  onTestFinished(() => hosts.close());
  const ask = (samples: Int16Array, signal = never, wallSeconds = 60, asked = model) =>
    hosts.request('recognize', { model: asked, samples }, { signal, wallSeconds });
  return { hosts, ask };
}

async function pidAtWork(hosts: SherpaHostPool): Promise<number> {
  await expect.poll(() => hosts.activePids, { interval: 5 }).toHaveLength(1);
  return hosts.activePids[0] ?? 0;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it('SherpaHostPool keeps a model loaded, although its files are removed', async () => {
  const { ask } = hostsOf({ hosts: 1 });
  const passing = await moonshine('passing');
  expect((await ask(PLEASE, never, 60, passing))?.text).toBe('please call');
  await rm(join(folder, 'passing'), { recursive: true });
  expect((await ask(PLEASE, never, 60, passing))?.text).toBe('please call');
});

it('SherpaHostPool kills the host of an aborted request and starts another', async () => {
  const { hosts, ask } = hostsOf();
  const controller = new AbortController();
  const reason = new Error('no longer wanted');
  const outcome = ask(LONG, controller.signal).catch((error: unknown) => error);
  const pid = await pidAtWork(hosts);
  controller.abort(reason);
  expect(await outcome).toBe(reason);
  expect(isRunning(pid)).toBe(false);
  expect((await ask(PLEASE))?.text).toBe('please call');
});

it('SherpaHostPool loses only one request when a host crashes', async () => {
  const { hosts, ask } = hostsOf();
  const failing = ask(LONG).catch((error: unknown) => error);
  process.kill(await findNativeHostPid(await pidAtWork(hosts)), 'SIGSEGV');
  const other = ask(PLEASE);
  expect(await failing).toBeInstanceOf(ToolFailedError);
  expect((await other)?.text).toBe('please call');
  expect((await ask(PLEASE))?.text).toBe('please call');
});

it('SherpaHostPool fails a request at its timeout', async () => {
  const { hosts, ask } = hostsOf();
  await expect(ask(LONG, never, 0.2)).rejects.toBeInstanceOf(ToolTimeoutError);
  expect(hosts.activePids).toEqual([]);
});

it('SherpaHostPool reports the messages of the library on errors and crashes', async () => {
  const { ask } = hostsOf({ hosts: 1 });
  const refused = await ask(PLEASE, never, 60, { modelConfig: {} }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(HostRequestError);
  const tokens = join(folder, 'no tokens');
  await writeFile(tokens, 'neither are these\n');
  const broken = { modelConfig: { ...(model as { modelConfig: object }).modelConfig, tokens } };
  const ended = await ask(PLEASE, never, 60, broken).catch((error: unknown) => error);
  expect(ended).toBeInstanceOf(ToolFailedError);
  expect((ended as ToolFailedError).stderrTail).toContain('symbol-table');
  expect((await ask(PLEASE))?.text).toBe('please call');
});

it('SherpaHostPool reports a failed model run, although the library returns an empty result', async () => {
  const { ask } = hostsOf({ hosts: 1 });
  const { modelConfig } = model as { modelConfig: { moonshine: Record<string, string> } };
  const { moonshine: files } = modelConfig;
  const torn = { ...modelConfig, moonshine: { ...files, cachedDecoder: files['preprocessor'] } };
  const failed = await ask(PLEASE, never, 60, { modelConfig: torn }).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(HostRequestError);
  expect((failed as HostRequestError).stderrTail).toContain('Return an empty result');
  expect((await ask(PLEASE))?.text).toBe('please call');
});

it('SherpaHostPool limits concurrent requests and drops aborted waiters', async () => {
  const { hosts, ask } = hostsOf({ hosts: 1 });
  const slow = ask(speak(['slow']));
  const controller = new AbortController();
  const reason = new Error('waited long enough');
  const waiting = ask(PLEASE, controller.signal).catch((error: unknown) => error);
  const next = ask(PLEASE);
  const pid = await pidAtWork(hosts);
  controller.abort(reason);
  expect(await waiting).toBe(reason);
  expect(hosts.activePids).toEqual([pid]);
  expect((await slow)?.text).toBe('');
  expect((await next)?.text).toBe('please call');
});

it('SherpaHostPool ends idle hosts and leaves no process after close', async () => {
  const rested = hostsOf({ idleMs: 1 });
  const first = rested.ask(PLEASE);
  const pid = await pidAtWork(rested.hosts);
  await first;
  await expect.poll(() => isRunning(pid)).toBe(false);

  const { hosts, ask } = hostsOf();
  const outcome = ask(LONG).catch((error: unknown) => error);
  const busy = await pidAtWork(hosts);
  await hosts.close();
  expect(String(await outcome)).toContain('closed');
  expect(isRunning(busy)).toBe(false);
  await expect(ask(PLEASE)).rejects.toThrow('closed');
});

const { ownFilesOnly } = await detectSandboxProtections();
if (!ownFilesOnly) console.warn('Skipped, this machine does not offer it: own files only.');

it.skipIf(!ownFilesOnly)('a sherpa host can read only its own files and the given models', async () => {
  const elsewhere = await moonshine('elsewhere');
  const given = hostsOf({ models: [join(folder, 'elsewhere')] });
  expect((await given.ask(PLEASE, never, 60, elsewhere))?.text).toBe('please call');
  const refused = await given.ask(PLEASE).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(HostRequestError);
  expect((refused as HostRequestError).stderrTail).toContain('does not exist');
});
