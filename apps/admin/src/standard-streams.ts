import { constants } from 'node:os';

/** The exit code in a shell after the reader, such as `head`, closed the pipe. */
const SIGPIPE_EXIT_CODE = 128 + constants.signals.SIGPIPE;

let stdoutClosed = false;

/** The command completes although its reader has closed the pipe. Call it first. */
export function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      stdoutClosed ||= stream === process.stdout;
    });
}

/** Waits until the reader has read all output: a pipe holds 64 KiB. */
export async function exitAfterFlush(): Promise<never> {
  await Promise.all([process.stdout, process.stderr].map(flush));
  if (stdoutClosed) process.exitCode = SIGPIPE_EXIT_CODE;
  process.exit();
}

function flush(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()));
}
