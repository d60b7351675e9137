import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { STOP_SIGNALS } from '../../scripts/lib/interruption.mjs';
import { DemoClient } from '../../scripts/lib/demo/client.mjs';
import { startService, stopService, waitUntilReady } from '../../scripts/lib/demo/service.mjs';
import { ChildCpuMeter } from './child-cpu-meter.mjs';
import { listChildPids, readChildTrees, sumCpuSecondsOfTree } from './process-times.mjs';
import { findFreePort } from './free-port.mjs';

const ENGINE = 'pocketsphinx_batch';

/**
 * @typedef {object} Transcript the fields that benchmarks read
 * @property {string} text
 * @property {{ id: string }[]} speakers
 * @property {{ start: number, end: number, speaker: string | null }[]} segments
 *
 * @typedef {{ custom_vocabulary?: string[] }} JobOptions
 */

/** The built service with embedded dependencies, as with `npm start`, in a temporary folder. A signal stops it and this process. */
export class RunningService {
  /**
   * @param {Awaited<ReturnType<typeof startService>>} service @param {string} folder @param {DemoClient} client
   * @param {number} processorPid
   */
  constructor(service, folder, client, processorPid) {
    this.service = service;
    this.folder = folder;
    this.client = client;
    this.processorPid = processorPid;
    this.interrupt = (signal) =>
      void this.stop().finally(() => process.exit(128 + constants.signals[signal]));
    for (const signal of STOP_SIGNALS) process.once(signal, this.interrupt);
  }

  /** Root of the tree of the service's processes. */
  get pid() {
    return this.service.child.pid;
  }

  /**
   * Uses pocketsphinx, whose programs the measurements know, whatever the environment says.
   *
   * @param {Record<string, string>} [env] settings that differ from the default
   */
  static async start(env) {
    const folder = await mkdtemp(join(tmpdir(), 'zephyr-bench-'));
    const port = await findFreePort();
    const service = await startService({ dataDir: folder, port, env: { ENGINE: 'pocketsphinx', ...env } });
    const { signal } = new AbortController();
    const base = `http://127.0.0.1:${port}`;
    try {
      await waitUntilReady(service, base, signal);
      const key = (await readFile(join(folder, 'dev-api-key'), 'utf8')).trim();
      const processorPid = await findProcessor(service.child.pid);
      return new RunningService(service, folder, new DemoClient(base, key, signal), processorPid);
    } catch (error) {
      await stopService(service);
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /**
   * Transcribes a file like a client.
   *
   * @param {string} path @param {JobOptions} [options]
   * @returns {Promise<{ seconds: number, transcript: Transcript }>} from the create request to the `completed` event
   */
  async transcribe(path, options = {}) {
    const startedAt = performance.now();
    const job = await this.client.upload(path, options);
    const { download_url: address } = await this.client.follow(job, () => undefined);
    const seconds = (performance.now() - startedAt) / 1000;
    return { seconds, transcript: await this.client.download(address) };
  }

  /**
   * Transcribes a file and measures the CPU time of the service, and of the engine within.
   *
   * @param {string} path @param {JobOptions} [options]
   */
  async measure(path, options = {}) {
    const before = this.#sumSecondsWithoutEngine();
    const meter = new ChildCpuMeter(this.processorPid);
    const result = await this.transcribe(path, options);
    const engineSeconds = meter.stop(ENGINE);
    const cpuSeconds = this.#sumSecondsWithoutEngine() - before + engineSeconds;
    return { ...result, cpuSeconds, engineSeconds };
  }

  /** Without engine processes, because the CPU time of one that is killed for another vocabulary would be lost. */
  #sumSecondsWithoutEngine() {
    const trees = [...readChildTrees(this.processorPid).values()];
    const engines = trees.filter(({ name }) => name === ENGINE.slice(0, 15));
    return sumCpuSecondsOfTree(this.pid) - engines.reduce((sum, { seconds }) => sum + seconds, 0);
  }

  async stop() {
    for (const signal of STOP_SIGNALS) process.off(signal, this.interrupt);
    await stopService(this.service);
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** @param {number} root */
async function findProcessor(root) {
  for (const pid of listChildPids(root)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.includes('apps/processor/')) return pid;
  }
  throw new Error('The service runs no processor.');
}
