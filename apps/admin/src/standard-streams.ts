import { constants } from 'node:os';

/** How a shell tells of a program whose reader closed the pipe, as `head` does. */
const READER_GONE = 128 + constants.signals.SIGPIPE;

let readerGone = false;

/** A reader that has gone is no failure of the command, which does to its end what it was asked. To be called first. */
export function allowReaderToGo(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      readerGone ||= stream === process.stdout;
    });
}

/** Ends the process once everything it printed was taken: a pipe holds 64 KiB, and its reader may be slow. */
export async function exitWhenWritten(): Promise<never> {
  await Promise.all([process.stdout, process.stderr].map(written));
  if (readerGone) process.exitCode = READER_GONE;
  process.exit();
}

function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()));
}
