import { homedir } from 'node:os';
import type { CliContext } from './command.js';
import { completionCommand } from './commands/completion.js';
import { doctorCommand } from './commands/doctor.js';
import { evalCommand } from './commands/eval.js';
import { jobsCommand } from './commands/jobs.js';
import { forwardWebhooksCommand } from './commands/listen.js';
import { loginCommand, logoutCommand } from './commands/login.js';
import { transcribeCommand } from './commands/transcribe.js';
import { transcriptCommand } from './commands/transcript.js';
import { watchFolderCommand } from './commands/watch.js';
import { createZephyrClientFromSettings } from './config.js';
import { EXIT_CODE_BY_NAME, InterruptedError } from './errors.js';
import { runCommandLine } from './run-command-line.js';
import { askSecret } from './terminal/ask-secret.js';

/** Written by the build. */
declare const ZEPHYR_VERSION: string;

const interruption = new AbortController();
process.on('SIGINT', () => {
  // The second one does not wait.
  if (interruption.signal.aborted) process.exit(EXIT_CODE_BY_NAME.interrupted);
  interruption.abort(new InterruptedError('Interrupted. Run the same command again to continue.'));
});
// Whoever reads has seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? EXIT_CODE_BY_NAME.ok : EXIT_CODE_BY_NAME.failed),
);

// What the command has just reported decides about its exit code, which is set before the next turn.
process.stderr.on('error', () =>
  setImmediate(() => process.exit(process.exitCode ?? EXIT_CODE_BY_NAME.failed)),
);

const { env, stdin, stdout, stderr } = process;
const homeFolder = homedir();
const context: CliContext = {
  stdout,
  stderr,
  stdin,
  env,
  homeFolder,
  signal: interruption.signal,
  commands: [
    transcribeCommand,
    watchFolderCommand,
    jobsCommand,
    transcriptCommand,
    loginCommand,
    logoutCommand,
    forwardWebhooksCommand,
    evalCommand,
    doctorCommand,
    completionCommand,
  ],
  version: ZEPHYR_VERSION,
  askSecret: (question) => askSecret(stdin, stderr, question, interruption.signal),
  connect: (options, maxRetries) => createZephyrClientFromSettings({ env, homeFolder }, options, maxRetries),
};
process.exitCode = await runCommandLine(context, process.argv.slice(2));
// Standard input, or a stream that is being followed, would keep the process alive. What was written must arrive first.
stdout.write('', () => stderr.write('', () => process.exit()));
