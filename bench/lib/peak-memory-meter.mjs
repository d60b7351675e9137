import { setTimeout as pause } from 'node:timers/promises';
import { readProcFile, readProcessTree } from './process-times.mjs';
import { readResidentMemory } from './resident-memory.mjs';

const SAMPLE_INTERVAL_MS = 250;

/**
 * Measures the peak memory of programs in a tree of processes. The kernel records the peak of each process, so only a
 * process that lives less than a quarter of a second can be missed.
 */
export class PeakMemoryMeter {
  /** @type {Map<string, number>} */
  #peaks = new Map();
  #stopping = new AbortController();

  /** @param {number} root pid @param {Record<string, string>} programs name -> part of its command line */
  constructor(root, programs) {
    this.root = root;
    this.programs = Object.entries(programs);
    this.sampling = this.#sampleRepeatedly();
  }

  /** @returns {Promise<Map<string, number>>} name -> peak bytes of its largest process */
  async stop() {
    this.#stopping.abort();
    await this.sampling;
    this.#sample();
    return this.#peaks;
  }

  async #sampleRepeatedly() {
    while (!this.#stopping.signal.aborted) {
      this.#sample();
      await pause(SAMPLE_INTERVAL_MS, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
    }
  }

  #sample() {
    for (const pid of readProcessTree(this.root).keys()) {
      const command = readProcFile(pid, 'cmdline');
      const program = this.programs.find(([, part]) => command.includes(part));
      const memory = readResidentMemory(pid);
      if (!program || !memory) continue;
      this.#peaks.set(program[0], Math.max(memory.peak, this.#peaks.get(program[0]) ?? 0));
    }
  }
}
