import { familiesOf } from './cpu.mjs';

const LOG_INTERVAL_MS = 250;

/**
 * Tells what the children of a process that run one program use, those that end meanwhile and those that stay. Of each
 * that ended the last quarter of a second may be missing.
 */
export class ChildrenWatch {
  /** @type {Map<number, { name: string, seconds: number }>} */
  #seen = new Map();

  /** Begins to watch. @param {number} pid */
  constructor(pid) {
    this.pid = pid;
    this.before = familiesOf(pid);
    this.timer = setInterval(() => this.#look(), LOG_INTERVAL_MS);
  }

  /**
   * @param {string} program
   * @returns {number} seconds of processor time of the children of that name
   */
  end(program) {
    clearInterval(this.timer);
    this.#look();
    // The kernel keeps so many characters of a name.
    const name = program.slice(0, 15);
    const ofProgram = [...this.#seen].filter(([, child]) => child.name === name);
    const seconds = ofProgram.map(([pid, child]) => child.seconds - (this.before.get(pid)?.seconds ?? 0));
    return seconds.reduce((sum, each) => sum + each, 0);
  }

  #look() {
    for (const [pid, child] of familiesOf(this.pid)) this.#seen.set(pid, child);
  }
}
