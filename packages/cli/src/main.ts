import { homedir } from 'node:os';
import type { Context } from './command.js';
import { completion } from './commands/completion.js';
import { doctor } from './commands/doctor.js';
import { evaluate } from './commands/eval.js';
import { jobs } from './commands/jobs.js';
import { listen } from './commands/listen.js';
import { login, logout } from './commands/login.js';
import { transcribe } from './commands/transcribe.js';
import { transcript } from './commands/transcript.js';
import { watch } from './commands/watch.js';
import { connect } from './config.js';
import { EXIT, InterruptedError } from './errors.js';
import { run } from './run.js';
import { askSecret } from './terminal/ask-secret.js';

/** Written by the build. */
declare const ZEPHYR_VERSION: string;

const interruption = new AbortController();
process.on('SIGINT', () => {
  // The second one does not wait.
  if (interruption.signal.aborted) process.exit(EXIT.interrupted);
  interruption.abort(new InterruptedError('Interrupted. Run the same command again to continue.'));
});
// Whoever reads has seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? EXIT.ok : EXIT.failed),
);

const { env, stdin, stdout, stderr } = process;
const homeFolder = homedir();
const context: Context = {
  stdout,
  stderr,
  stdin,
  env,
  homeFolder,
  signal: interruption.signal,
  commands: [transcribe, watch, jobs, transcript, login, logout, listen, evaluate, doctor, completion],
  version: ZEPHYR_VERSION,
  askSecret: (question) => askSecret(stdin, stderr, question),
  connect: (options) => connect({ env, homeFolder }, options),
};
process.exitCode = await run(context, process.argv.slice(2));
// Standard input, or a stream that is being followed, would keep the process alive. What was written must arrive first.
stdout.write('', () => stderr.write('', () => process.exit()));
