import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Trouble } from '../lib/trouble.mjs';
import { titlesOf } from './protection.mjs';

/** @typedef {import('./protection.mjs').Protection} Protection */

const HOST = fileURLToPath(new URL('./test-host.mjs', import.meta.url));

/** The tests of a ring in a project or a copy of one, ready to be run again and again while its files change. */
export class RingTests {
  #output = '';

  /** @param {import('node:child_process').ChildProcess} host that is ready */
  constructor(host) {
    this.host = host;
    for (const stream of [host.stdout, host.stderr]) stream?.on('data', (text) => (this.#output += text));
  }

  /** @param {string} root @param {string} ring */
  static async open(root, ring) {
    const host = fork(HOST, [ring], { cwd: root, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    const tests = new RingTests(host);
    await tests.#answer();
    return tests;
  }

  /**
   * Runs the tests of protections, and no others.
   *
   * @param {Protection[]} protections whose files are as they are to be
   * @returns {Promise<{ output: string, of(protection: Protection): { passed: number, failed: number, why?: string } }>}
   *   why: the first line of what the first of its tests failed with
   */
  async run(protections) {
    this.#output = '';
    const tests = Object.fromEntries(
      protections.map(({ test }) => {
        const some = protections.filter((protection) => protection.test === test);
        return [test, [...new Set(some.map(titlesOf))].join('|')];
      }),
    );
    this.host.send({ tests, files: protections.map(({ file }) => file) });
    const { results } = await this.#answer();
    return { output: this.#output, of: (protection) => countOf(results, protection) };
  }

  async close() {
    const ended = once(this.host, 'exit');
    this.host.disconnect();
    await ended;
  }

  /** @throws Trouble when it ends instead */
  async #answer() {
    const over = new AbortController();
    const { signal } = over;
    try {
      const ended = once(this.host, 'exit', { signal }).then(() => {
        throw new Trouble('The tests could not be run.', this.#output);
      });
      const [answer] = await Promise.race([once(this.host, 'message', { signal }), ended]);
      return answer;
    } finally {
      over.abort();
    }
  }
}

function countOf(results, protection) {
  const title = new RegExp(`^${titlesOf(protection)}`);
  const tests = results.filter((test) => test.file === protection.test && title.test(test.title));
  const count = (state) => tests.filter((test) => test.state === state).length;
  const why = tests.find((test) => test.state === 'failed')?.why;
  return { passed: count('passed'), failed: count('failed'), why };
}
