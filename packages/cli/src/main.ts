import { homedir } from 'node:os';
import type { CliContext } from './command.js';
import { COMMANDS } from './commands.js';
import { createZephyrClientFromSettings } from './config.js';
import { EXIT_CODE_BY_NAME } from './errors.js';
import { Interruption } from './interruption.js';
import { runCommandLine } from './run-command-line.js';
import { askSecret } from './terminal/ask-secret.js';
import { CLEAR_LINE } from './terminal/progress-view.js';
import { StandardOutput } from './terminal/standard-output.js';

/** Written by the build. */
declare const ZEPHYR_VERSION: string;

const interruption = new Interruption(process);
const { env, stdin, stderr } = process;
const stdout = new StandardOutput(process.stdout, ({ message }) => {
  // A terminal that was closed cannot be written to, but the command still ends what it has begun.
  if (interruption.signal.aborted) return;
  stderr.write(`zephyr: standard output could not be written: ${message}.\n`);
  process.exit(EXIT_CODE_BY_NAME.failed);
});

function findHomeFolder(): string | undefined {
  try {
    return homedir() || undefined;
  } catch {
    return undefined;
  }
}

// What the command has just reported decides about its exit code, which is set before the next turn.
stderr.on('error', () =>
  setImmediate(() => {
    if (!interruption.signal.aborted) process.exit(process.exitCode ?? EXIT_CODE_BY_NAME.failed);
  }),
);

const homeFolder = findHomeFolder();
const context: CliContext = {
  stdout,
  stderr,
  stdin,
  env,
  homeFolder,
  signal: interruption.signal,
  commands: COMMANDS,
  version: ZEPHYR_VERSION,
  askSecret: (question) => askSecret(stdin, stderr, question, interruption.signal),
  connect: (options, maxRetries) =>
    createZephyrClientFromSettings({ env, homeFolder }, options, maxRetries, (origin) =>
      // Over the progress of files, if there is one.
      stderr.write(`${stderr.isTTY ? CLEAR_LINE : ''}No response from ${origin}, trying again.\n`),
    ),
};
process.exitCode = await runCommandLine(context, process.argv.slice(2));
// Standard input, or a stream that is being followed, would keep the process alive. What was written must arrive first.
await stdout.flush();
stderr.write('', () => interruption.endProcess());
