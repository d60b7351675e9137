import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Zephyr } from 'zephyr-client';
import type { CliContext, Command } from '../command.js';
import { runCommandLine } from '../run-command-line.js';

export interface StartedCommand {
  code: Promise<number>;
  stdout: () => string;
  stderr: () => string;
}

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

export interface InProcessCommandLineOptions {
  commands: readonly Command[];
  fetch?: typeof fetch;
  env?: Record<string, string>;
  isOutputClosed?: () => boolean;
  stdin?: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean };
  /** Default true. */
  knowsHome?: boolean;
}

/** Runs commands inside the process, with a home folder of their own and without a network. */
export class InProcessCommandLine {
  private constructor(
    readonly home: string,
    private readonly options: InProcessCommandLineOptions,
  ) {}

  static async create(options: InProcessCommandLineOptions): Promise<InProcessCommandLine> {
    return new InProcessCommandLine(await mkdtemp(join(tmpdir(), 'zephyr-cli-unit-')), options);
  }

  async run(parameters: readonly string[], signal?: AbortSignal): Promise<CommandResult> {
    const started = this.start(parameters, signal);
    const code = await started.code;
    return { code, stdout: started.stdout(), stderr: started.stderr() };
  }

  start(parameters: readonly string[], signal = new AbortController().signal): StartedCommand {
    const {
      commands,
      fetch: fakeFetch,
      env = {},
      stdin = createEmptyStream(),
      isOutputClosed,
      knowsHome = true,
    } = this.options;
    const texts = { stdout: '', stderr: '' };
    const write = (name: 'stdout' | 'stderr') => ({
      write: (text: string | Uint8Array) => (texts[name] += Buffer.from(text).toString('utf8')),
    });
    const context: CliContext = {
      stdout: Object.defineProperty(write('stdout'), 'isClosed', { get: isOutputClosed ?? (() => false) }),
      stderr: write('stderr'),
      stdin,
      env: { ...env },
      homeFolder: knowsHome ? this.home : undefined,
      signal,
      commands,
      version: '0.0.0',
      askSecret: () => Promise.reject(new Error('There is no terminal.')),
      connect: () =>
        Promise.resolve(
          new Zephyr({
            baseUrl: 'http://fake',
            apiKey: 'key',
            maxRetries: 0,
            ...(fakeFetch && { fetch: fakeFetch }),
          }),
        ),
    };
    const code = runCommandLine(context, parameters);
    return { code, stdout: () => texts.stdout, stderr: () => texts.stderr };
  }
}

async function* createEmptyStream(): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield* [];
}
