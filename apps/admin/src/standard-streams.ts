import { constants } from 'node:os';

/** How a shell tells of a program whose reader closed the pipe, as `head` does. */
const SIGPIPE_EXIT_CODE = 128 + constants.signals.SIGPIPE;

let stdoutClosed = false;

/** A reader that has gone is no failure of the command, which does to its end what it was asked. To be called first. */
export function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      stdoutClosed ||= stream === process.stdout;
    });
}

/** Ends the process once everything it printed was taken: a pipe holds 64 KiB, and its reader may be slow. */
export async function exitAfterFlush(): Promise<never> {
  await Promise.all([process.stdout, process.stderr].map(flush));
  if (stdoutClosed) process.exitCode = SIGPIPE_EXIT_CODE;
  process.exit();
}

function flush(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()));
}
