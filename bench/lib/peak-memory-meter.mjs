import { setTimeout as pause } from 'node:timers/promises';
import { readProcFile, readProcessTree } from './process-times.mjs';
import { readResidentMemory } from './resident-memory.mjs';

const LOG_INTERVAL_MS = 250;

/**
 * Tells the most memory that programs of a tree of processes ever held: the kernel keeps the peak of each process, so
 * only what lives less than a quarter of a second can be missed.
 */
export class PeakMemoryMeter {
  /** @type {Map<string, number>} */
  #peaks = new Map();
  #ending = new AbortController();

  /** @param {number} root pid @param {Record<string, string>} programs name -> part of its command line */
  constructor(root, programs) {
    this.root = root;
    this.programs = Object.entries(programs);
    this.looking = this.#watch();
  }

  /** @returns {Promise<Map<string, number>>} name -> bytes of the greatest single process */
  async end() {
    this.#ending.abort();
    await this.looking;
    this.#look();
    return this.#peaks;
  }

  async #watch() {
    while (!this.#ending.signal.aborted) {
      this.#look();
      await pause(LOG_INTERVAL_MS, undefined, { signal: this.#ending.signal }).catch(() => undefined);
    }
  }

  #look() {
    for (const pid of readProcessTree(this.root).keys()) {
      const command = readProcFile(pid, 'cmdline');
      const known = this.programs.find(([, part]) => command.includes(part));
      const held = readResidentMemory(pid);
      if (!known || !held) continue;
      this.#peaks.set(known[0], Math.max(held.peak, this.#peaks.get(known[0]) ?? 0));
    }
  }
}
