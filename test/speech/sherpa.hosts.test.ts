import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { HostRequestError } from '../../libs/speech/src/sherpa/host/sherpa-host-process.js';
import {
  type SherpaHostPoolOptions,
  SherpaHostPool,
} from '../../libs/speech/src/sherpa/host/sherpa-host-pool.js';
import type { ExecutionProviderProbeResult } from '../../libs/speech/src/sherpa/provider/probe-execution-provider.js';
import { detectSandboxProtections } from '../../libs/speech/src/tool/sandbox-capabilities.js';
import { ToolFailedError, ToolTimeoutError } from '../../libs/speech/src/tool/tool.js';
import { makeModel } from '../../scripts/material/onnx/library.mjs';
import { renderPieces } from '../../scripts/material/onnx/tones.mjs';
import { countDependentSignals } from '../support/dependent-signals.js';
import { findNativeHostPid } from '../support/find-native-host-pid.js';

const neverAborted = new AbortController().signal;
const SHORT_SPEECH = renderPieces(['▁please', '▁call']);
/** Sound that a tiny model processes for seconds. */
const SLOW_SPEECH = renderPieces(['slow', 'slow', 'slow', 'slow', 'slow', 'slow', 'slow', 'slow']);

let folder: string;
let model: object;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-hosts-'));
  model = await createMoonshineModel('');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function createMoonshineModel(subfolder: string): Promise<object> {
  const home = await makeModel(join(folder, subfolder), 'tiny-moonshine');
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

function createPool(options: Partial<SherpaHostPoolOptions> = {}) {
  const hosts = new SherpaHostPool({ hosts: 2, models: [folder], ...options });
  onTestFinished(() => hosts.close());
  const recognize = (samples: Int16Array, signal = neverAborted, wallSeconds = 60, requestedModel = model) =>
    hosts.request('recognize', { model: requestedModel, samples }, { signal, wallSeconds });
  return { hosts, recognize };
}

async function waitForActivePid(hosts: SherpaHostPool): Promise<number> {
  await expect.poll(() => hosts.activePids, { interval: 5 }).toHaveLength(1);
  return hosts.activePids[0] ?? 0;
}

it('a request leaves nothing in the signal that could abort it', async () => {
  const { recognize } = createPool();
  const { signal } = new AbortController();
  await recognize(SHORT_SPEECH, signal);
  expect(countDependentSignals(signal)).toBe(0);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it('SherpaHostPool keeps a model loaded, although its files are removed', async () => {
  const { recognize } = createPool({ hosts: 1 });
  const passing = await createMoonshineModel('passing');
  expect((await recognize(SHORT_SPEECH, neverAborted, 60, passing))?.text).toBe('please call');
  await rm(join(folder, 'passing'), { recursive: true });
  expect((await recognize(SHORT_SPEECH, neverAborted, 60, passing))?.text).toBe('please call');
});

it('SherpaHostPool kills the host of an aborted request and starts another', async () => {
  const { hosts, recognize } = createPool();
  const controller = new AbortController();
  const reason = new Error('no longer wanted');
  const outcome = recognize(SLOW_SPEECH, controller.signal).catch((error: unknown) => error);
  const pid = await waitForActivePid(hosts);
  controller.abort(reason);
  expect(await outcome).toBe(reason);
  expect(isRunning(pid)).toBe(false);
  expect((await recognize(SHORT_SPEECH))?.text).toBe('please call');
});

it('SherpaHostPool loses only one request when a host crashes', async () => {
  const { hosts, recognize } = createPool();
  const failing = recognize(SLOW_SPEECH).catch((error: unknown) => error);
  process.kill(await findNativeHostPid(await waitForActivePid(hosts)), 'SIGSEGV');
  const other = recognize(SHORT_SPEECH);
  expect(await failing).toBeInstanceOf(ToolFailedError);
  expect((await other)?.text).toBe('please call');
  expect((await recognize(SHORT_SPEECH))?.text).toBe('please call');
});

it('SherpaHostPool fails a request at its timeout', async () => {
  const { hosts, recognize } = createPool();
  await expect(recognize(SLOW_SPEECH, neverAborted, 0.2)).rejects.toBeInstanceOf(ToolTimeoutError);
  expect(hosts.activePids).toEqual([]);
});

it('SherpaHostPool reports the messages of the library on errors and crashes', async () => {
  const { recognize } = createPool({ hosts: 1 });
  const rejected = await recognize(SHORT_SPEECH, neverAborted, 60, { modelConfig: {} }).catch(
    (error: unknown) => error,
  );
  expect(rejected).toBeInstanceOf(HostRequestError);
  const tokens = join(folder, 'no tokens');
  await writeFile(tokens, 'neither are these\n');
  const broken = { modelConfig: { ...(model as { modelConfig: object }).modelConfig, tokens } };
  const ended = await recognize(SHORT_SPEECH, neverAborted, 60, broken).catch((error: unknown) => error);
  expect(ended).toBeInstanceOf(ToolFailedError);
  expect((ended as ToolFailedError).stderrTail).toContain('symbol-table');
  expect((await recognize(SHORT_SPEECH))?.text).toBe('please call');
});

it('SherpaHostPool reports a failed model run, although the library returns an empty result', async () => {
  const { recognize } = createPool({ hosts: 1 });
  const { modelConfig } = model as { modelConfig: { moonshine: Record<string, string> } };
  const { moonshine: files } = modelConfig;
  const wrongDecoder = { ...modelConfig, moonshine: { ...files, cachedDecoder: files['preprocessor'] } };
  const failed = await recognize(SHORT_SPEECH, neverAborted, 60, { modelConfig: wrongDecoder }).catch(
    (error: unknown) => error,
  );
  expect(failed).toBeInstanceOf(HostRequestError);
  expect((failed as HostRequestError).stderrTail).toContain('Return an empty result');
  expect((await recognize(SHORT_SPEECH))?.text).toBe('please call');
});

it('SherpaHostPool limits concurrent requests and drops aborted waiters', async () => {
  const { hosts, recognize } = createPool({ hosts: 1 });
  const slow = recognize(renderPieces(['slow']));
  const controller = new AbortController();
  const reason = new Error('waited long enough');
  const waiting = recognize(SHORT_SPEECH, controller.signal).catch((error: unknown) => error);
  const next = recognize(SHORT_SPEECH);
  const pid = await waitForActivePid(hosts);
  controller.abort(reason);
  expect(await waiting).toBe(reason);
  expect(hosts.activePids).toEqual([pid]);
  expect((await slow)?.text).toBe('');
  expect((await next)?.text).toBe('please call');
});

it('SherpaHostPool ends idle hosts and leaves no process after close', async () => {
  const idlePool = createPool({ idleMs: 1 });
  const first = idlePool.recognize(SHORT_SPEECH);
  const pid = await waitForActivePid(idlePool.hosts);
  await first;
  await expect.poll(() => isRunning(pid)).toBe(false);

  const { hosts, recognize } = createPool();
  const outcome = recognize(SLOW_SPEECH).catch((error: unknown) => error);
  const busy = await waitForActivePid(hosts);
  await hosts.close();
  expect(String(await outcome)).toContain('closed');
  expect(isRunning(busy)).toBe(false);
  await expect(recognize(SHORT_SPEECH)).rejects.toThrow('closed');
});

const { ownFilesOnly } = await detectSandboxProtections();
if (!ownFilesOnly) console.warn('Skipped the restriction to own files: this machine does not support it.');

it.skipIf(!ownFilesOnly)('a sherpa host can read only its own files and the given models', async () => {
  const elsewhere = await createMoonshineModel('elsewhere');
  const poolWithModels = createPool({ models: [join(folder, 'elsewhere')] });
  expect((await poolWithModels.recognize(SHORT_SPEECH, neverAborted, 60, elsewhere))?.text).toBe(
    'please call',
  );
  const rejected = await poolWithModels.recognize(SHORT_SPEECH).catch((error: unknown) => error);
  expect(rejected).toBeInstanceOf(HostRequestError);
  expect((rejected as HostRequestError).stderrTail).toContain('does not exist');
});

const CUDA: ExecutionProviderProbeResult = {
  ...{ provider: 'cuda', devices: ['0', '1'], deviceFiles: [], reads: [], missing: [] },
};

it('SherpaHostPool starts one host for each device', async () => {
  const { hosts, recognize } = createPool({ provider: CUDA });
  for (let times = 0; times < 2; times += 1) recognize(SLOW_SPEECH).catch(() => undefined);
  await expect.poll(() => hosts.activePids, { interval: 5 }).toHaveLength(2);
  const devices = await Promise.all(
    hosts.activePids.map(async (pid) => {
      const environment = await readFile(`/proc/${await findNativeHostPid(pid)}/environ`, 'utf8');
      return /CUDA_VISIBLE_DEVICES=(\d)/.exec(environment)?.[1];
    }),
  );
  expect(new Set(devices)).toEqual(new Set(['0', '1']));
});

it('SherpaHostPool fails a request and ends the host if the library falls back to the CPU', async () => {
  const { hosts, recognize } = createPool({ hosts: 1, provider: CUDA });
  const { modelConfig } = model as { modelConfig: object };
  const withCuda = { modelConfig: { ...modelConfig, provider: 'cuda' } };
  for (let times = 0; times < 2; times += 1)
    await expect(recognize(SHORT_SPEECH, neverAborted, 60, withCuda)).rejects.toThrow(
      'The native library does not have the execution provider.',
    );
  expect(hosts.activePids).toEqual([]);
});

it.skipIf(!ownFilesOnly)(
  'a sherpa host can use the device files of its provider, and none without',
  async () => {
    const device = join(folder, 'nvidia0');
    await writeFile(device, '');
    const readHost = async (provider?: ExecutionProviderProbeResult) => {
      const { hosts, recognize } = createPool({
        hosts: 1,
        models: [join(folder, 'tiny-moonshine')],
        provider,
      });
      recognize(SLOW_SPEECH).catch(() => undefined);
      const process = `/proc/${await findNativeHostPid(await waitForActivePid(hosts))}`;
      const [mounts, limits] = await Promise.all([
        readFile(`${process}/mountinfo`, 'utf8'),
        readFile(`${process}/limits`, 'utf8'),
      ]);
      return { mount: mounts.split('\n').find((line) => line.includes(` ${device} `)), limits };
    };
    const { mount, limits } = await readHost({ ...CUDA, deviceFiles: [device] });
    expect(mount).toContain(' rw');
    expect(mount).not.toContain('nodev');
    expect(limits).toMatch(/Max open files +1024 /);
    expect((await readHost()).mount).toBeUndefined();
  },
);
