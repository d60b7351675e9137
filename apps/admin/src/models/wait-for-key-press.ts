import { InterruptedError } from '../abort-on-interrupt.js';

const CTRL_C = '\u0003';

/**
 * Waits for a key on the terminal of this process.
 * @param seconds after which the answer is null; without a limit by default
 * @returns the key @throws InterruptedError on Ctrl-C
 */
export async function waitForKeyPress(seconds = Infinity): Promise<string | null> {
  const { stdin } = process;
  stdin.setRawMode(true);
  let timer: NodeJS.Timeout | undefined;
  try {
    const key = await new Promise<string | null>((resolve) => {
      stdin.once('data', (bytes: Buffer) => resolve(bytes.toString()));
      stdin.once('end', () => resolve(null));
      if (Number.isFinite(seconds)) timer = setTimeout(() => resolve(null), seconds * 1000);
    });
    if (key === CTRL_C) throw new InterruptedError('Interrupted.');
    return key;
  } finally {
    clearTimeout(timer);
    stdin.setRawMode(false);
    stdin.pause();
  }
}
