import { readChildTrees } from './process-times.mjs';

const LOG_INTERVAL_MS = 250;

/**
 * Measures the CPU time of the children of a process that run one program. Of a child that ended, the last quarter of a
 * second may be missing.
 */
export class ChildCpuMeter {
  /** @type {Map<number, { name: string, seconds: number }>} */
  #seen = new Map();

  /** @param {number} pid */
  constructor(pid) {
    this.pid = pid;
    this.before = readChildTrees(pid);
    this.timer = setInterval(() => this.#sample(), LOG_INTERVAL_MS);
  }

  /**
   * @param {string} program
   * @returns {number} seconds of processor time of the children of that name
   */
  end(program) {
    clearInterval(this.timer);
    this.#sample();
    // The kernel truncates names to 15 characters.
    const name = program.slice(0, 15);
    const ofProgram = [...this.#seen].filter(([, child]) => child.name === name);
    const seconds = ofProgram.map(([pid, child]) => child.seconds - (this.before.get(pid)?.seconds ?? 0));
    return seconds.reduce((sum, each) => sum + each, 0);
  }

  #sample() {
    for (const [pid, child] of readChildTrees(this.pid)) this.#seen.set(pid, child);
  }
}
