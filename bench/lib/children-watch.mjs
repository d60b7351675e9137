import { childrenOf, timesOf } from './cpu.mjs';

const EVERY_MS = 100;

/**
 * Tells what the children that a process waited for used, apart by program. The sum is exact; what falls to one
 * program is the sum less what was seen of all others, which may lack the last tenth of a second of each.
 */
export class ChildrenWatch {
  /** @type {Map<number, { name: string, seconds: number }>} */
  #seen = new Map();
  #looking = Promise.resolve();

  /** @param {number} pid @param {number} reapedBefore */
  constructor(pid, reapedBefore) {
    this.pid = pid;
    this.reapedBefore = reapedBefore;
    this.timer = setInterval(() => {
      this.#looking = this.#look();
    }, EVERY_MS);
  }

  /** @param {number} pid */
  static async begin(pid) {
    return new ChildrenWatch(pid, (await timesOf(pid)).reaped);
  }

  /**
   * @param {string} program
   * @returns {Promise<number>} seconds of processor time of the children of that name; all are expected to have ended
   */
  async end(program) {
    clearInterval(this.timer);
    await this.#looking;
    const all = (await timesOf(this.pid)).reaped - this.reapedBefore;
    const name = program.slice(0, 15);
    const others = [...this.#seen.values()].filter((child) => child.name !== name);
    return all - others.reduce((sum, { seconds }) => sum + seconds, 0);
  }

  async #look() {
    for (const pid of await childrenOf(this.pid)) {
      const times = await timesOf(pid);
      if (times) this.#seen.set(pid, { name: times.name, seconds: times.own + times.reaped });
    }
  }
}
