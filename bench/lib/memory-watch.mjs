import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { treeOf } from './cpu.mjs';

const EVERY_MS = 250;

/**
 * Tells the most memory that programs of a tree of processes ever held: the kernel keeps the peak of each process, so
 * only what lives less than a quarter of a second can be missed.
 */
export class MemoryWatch {
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
    await this.#look();
    return this.#peaks;
  }

  async #watch() {
    while (!this.#ending.signal.aborted) {
      await this.#look();
      await pause(EVERY_MS, undefined, { signal: this.#ending.signal }).catch(() => undefined);
    }
  }

  async #look() {
    for (const pid of (await treeOf(this.root)).keys()) {
      const command = await read(pid, 'cmdline');
      const known = this.programs.find(([, part]) => command.includes(part));
      const peak = /^VmHWM:\s*(\d+) kB$/m.exec(await read(pid, 'status'));
      if (!known || !peak) continue;
      const bytes = Number(peak[1]) * 1024;
      this.#peaks.set(known[0], Math.max(bytes, this.#peaks.get(known[0]) ?? 0));
    }
  }
}

/** Empty when the process has ended meanwhile. @param {number} pid @param {string} file */
function read(pid, file) {
  return readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
}
