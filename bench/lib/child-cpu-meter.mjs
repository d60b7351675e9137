import { readChildTrees } from './process-times.mjs';

const SAMPLE_INTERVAL_MS = 250;

/**
 * Measures the CPU time of children of a process. The last quarter of a second of a child that ended may be missing.
 */
export class ChildCpuMeter {
  /** @type {Map<number, { name: string, seconds: number }>} */
  #children = new Map();

  /** @param {number} pid */
  constructor(pid) {
    this.pid = pid;
    this.before = readChildTrees(pid);
    this.timer = setInterval(() => this.#sample(), SAMPLE_INTERVAL_MS);
  }

  /**
   * @param {string} program
   * @returns {number} CPU seconds of the children that run the program
   */
  stop(program) {
    clearInterval(this.timer);
    this.#sample();
    // The kernel truncates names to 15 characters.
    const name = program.slice(0, 15);
    const children = [...this.#children].filter(([, child]) => child.name === name);
    const seconds = children.map(([pid, child]) => child.seconds - (this.before.get(pid)?.seconds ?? 0));
    return seconds.reduce((sum, each) => sum + each, 0);
  }

  #sample() {
    for (const [pid, child] of readChildTrees(this.pid)) this.#children.set(pid, child);
  }
}
