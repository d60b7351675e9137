import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { UserFacingError } from '../lib/user-facing-error.mjs';
import { buildTitlePattern } from './mutation.mjs';

/** @typedef {import('./mutation.mjs').Mutation} Mutation */

const HOST = fileURLToPath(new URL('./vitest-host.mjs', import.meta.url));

/** Runs tests of one suite in a copy of the project repeatedly, while its files change, in one Vitest process. */
export class SuiteTestRunner {
  #output = '';

  /** @param {import('node:child_process').ChildProcess} host has sent its first message */
  constructor(host) {
    this.host = host;
    for (const stream of [host.stdout, host.stderr]) stream?.on('data', (text) => (this.#output += text));
  }

  /** @param {string} root @param {string} suite */
  static async start(root, suite) {
    const host = fork(HOST, [suite], { cwd: root, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    const runner = new SuiteTestRunner(host);
    await runner.#nextMessage();
    return runner;
  }

  /**
   * Runs only the tests of the mutations, on the current files.
   *
   * @param {Mutation[]} mutations
   * @returns {Promise<{ output: string, resultOf(mutation: Mutation): { passed: number, failed: number, reason?: string } }>}
   *   reason: the first line of the error of its first failed test
   */
  async run(mutations) {
    this.#output = '';
    const tests = Object.fromEntries(
      mutations.map(({ test }) => {
        const fileMutations = mutations.filter((mutation) => mutation.test === test);
        return [test, [...new Set(fileMutations.map(buildTitlePattern))].join('|')];
      }),
    );
    this.host.send({ tests, files: mutations.map(({ file }) => file) });
    const { results } = await this.#nextMessage();
    return { output: this.#output, resultOf: (mutation) => countResults(results, mutation) };
  }

  async stop() {
    const exited = once(this.host, 'exit');
    this.host.disconnect();
    await exited;
  }

  /** @throws UserFacingError when the host exits instead */
  async #nextMessage() {
    const settled = new AbortController();
    const { signal } = settled;
    try {
      const exited = once(this.host, 'exit', { signal }).then(() => {
        throw new UserFacingError('The tests could not be run.', this.#output);
      });
      const [message] = await Promise.race([once(this.host, 'message', { signal }), exited]);
      return message;
    } finally {
      settled.abort();
    }
  }
}

function countResults(results, mutation) {
  const title = new RegExp(`^${buildTitlePattern(mutation)}`);
  const tests = results.filter((test) => test.file === mutation.test && title.test(test.title));
  const count = (state) => tests.filter((test) => test.state === state).length;
  const { reason } = tests.find((test) => test.state === 'failed') ?? {};
  return { passed: count('passed'), failed: count('failed'), reason };
}
