import type { ReadStream } from 'node:tty';
import { InterruptedError } from '../errors.js';
import type { OutputStream } from '../command.js';

/**
 * Reads a line from the terminal without showing it. In raw mode Ctrl-C is a character; a SIGINT of another process aborts the
 * signal.
 * @throws InterruptedError, or the reason of the signal
 */
export function askSecret(
  stdin: ReadStream,
  stderr: OutputStream,
  question: string,
  signal: AbortSignal,
): Promise<string> {
  signal.throwIfAborted();
  stderr.write(question);
  return new Promise((resolve, reject) => {
    let text = '';
    const finish = (end: () => void) => {
      stdin.off('data', onData);
      signal.removeEventListener('abort', onAbort);
      stdin.setRawMode(false);
      stdin.pause();
      stderr.write('\n');
      end();
    };
    const onData = (chunk: Buffer | string) => {
      for (const key of String(chunk)) {
        if (key === '\r' || key === '\n' || key === '\u0004') return finish(() => resolve(text));
        if (key === '\u0003') return finish(() => reject(new InterruptedError('Interrupted.')));
        if (key === '\u007F' || key === '\b') text = text.slice(0, -1);
        else text += key;
      }
    };
    const onAbort = () => finish(() => reject(signal.reason as Error));
    signal.addEventListener('abort', onAbort, { once: true });
    stdin.setRawMode(true);
    stdin.on('data', onData);
    stdin.resume();
  });
}
