import { familiesOf, timesOf } from './cpu.mjs';

const EVERY_MS = 100;

/**
 * Tells what the children of a process use, those that end meanwhile and those that stay, apart by program. The sum is
 * exact; what falls to one program is the sum less what was seen of all others, which may lack the last tenth of a
 * second of each that ended.
 */
export class ChildrenWatch {
  /** @type {Map<number, { name: string, seconds: number }>} */
  #seen = new Map();
  /** @type {Map<number, { name: string, seconds: number }>} */
  #before = new Map();
  #reapedBefore = 0;
  #looking = Promise.resolve();

  /** @param {number} pid */
  constructor(pid) {
    this.pid = pid;
  }

  /** @param {number} pid */
  static async begin(pid) {
    const watch = new ChildrenWatch(pid);
    watch.#reapedBefore = (await timesOf(pid)).reaped;
    watch.#before = await familiesOf(pid);
    watch.timer = setInterval(() => {
      watch.#looking = watch.#look();
    }, EVERY_MS);
    return watch;
  }

  /**
   * @param {string} program
   * @returns {Promise<number>} seconds of processor time of the children of that name
   */
  async end(program) {
    clearInterval(this.timer);
    await this.#looking;
    const living = await familiesOf(this.pid);
    const ended = (await timesOf(this.pid)).reaped - this.#reapedBefore;
    const all = ended + sumOf([...living.values()]) - sumOf([...this.#before.values()]);
    const name = program.slice(0, 15);
    const others = [...this.#seen].filter(([, child]) => child.name !== name);
    const otherSeconds = others.map(([pid, { seconds }]) => seconds - (this.#before.get(pid)?.seconds ?? 0));
    return all - otherSeconds.reduce((sum, seconds) => sum + seconds, 0);
  }

  async #look() {
    for (const [pid, child] of await familiesOf(this.pid)) this.#seen.set(pid, child);
  }
}

/** @param {{ seconds: number }[]} children */
function sumOf(children) {
  return children.reduce((sum, { seconds }) => sum + seconds, 0);
}
