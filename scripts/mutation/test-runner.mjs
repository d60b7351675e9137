import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserFacingError } from '../lib/user-facing-error.mjs';
import { buildTitlePattern } from './mutation.mjs';

/** @typedef {import('./mutation.mjs').Mutation} Mutation */

const HOST = fileURLToPath(new URL('./vitest-host.mjs', import.meta.url));

/**
 * Runs tests of one suite in a copy of the project repeatedly, while its files change. One Vitest process runs them, and
 * another one takes its place where test files share a service: that has started with the files of an earlier run.
 */
export class SuiteTestRunner {
  #output = '';
  #hasSharedService = false;

  /** @param {string} root @param {string} suite */
  constructor(root, suite) {
    this.root = root;
    this.suite = suite;
  }

  /** @param {string} root @param {string} suite */
  static async start(root, suite) {
    const runner = new SuiteTestRunner(root, suite);
    await runner.#startHost();
    return runner;
  }

  async #startHost() {
    this.#hasSharedService = false;
    this.host = fork(HOST, [this.suite], { cwd: this.root, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    for (const stream of [this.host.stdout, this.host.stderr])
      stream?.on('data', (text) => (this.#output += text));
    await this.#nextMessage();
  }

  /**
   * Runs only the tests of the mutations, on the current files.
   *
   * @param {Mutation[]} mutations
   * @returns {Promise<{ output: string, resultOf(mutation: Mutation): { passed: number, failed: number, reason?: string } }>}
   *   reason: the first line of the error of its first failed test
   */
  async run(mutations) {
    if (await this.#shareService(mutations)) {
      if (this.#hasSharedService) {
        await this.stop();
        await this.#startHost();
      }
      this.#hasSharedService = true;
    }
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

  async #shareService(mutations) {
    const files = [...new Set(mutations.map(({ test }) => test))];
    const sources = await Promise.all(files.map((file) => readFile(join(this.root, file), 'utf8')));
    return sources.some((source) => source.includes('useSharedService('));
  }

  /** Resolves after the exit of the host, which may have ended by itself. */
  async stop() {
    if (this.host.exitCode !== null || this.host.signalCode !== null) return;
    const exited = once(this.host, 'exit');
    if (this.host.connected) this.host.disconnect();
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
