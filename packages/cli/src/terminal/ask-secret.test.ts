import { EventEmitter } from 'node:events';
import type { ReadStream } from 'node:tty';
import { describe, expect, it } from 'vitest';
import { InterruptedError } from '../errors.js';
import { askSecret } from './ask-secret.js';

class FakeTerminal extends EventEmitter {
  isRaw = false;
  isReading = false;
  setRawMode(isRaw: boolean): void {
    this.isRaw = isRaw;
  }
  resume(): void {
    this.isReading = true;
  }
  pause(): void {
    this.isReading = false;
  }
  type(text: string): void {
    this.emit('data', Buffer.from(text));
  }
}

function ask(signal = new AbortController().signal) {
  const terminal = new FakeTerminal();
  let shown = '';
  const output = { write: (text: string | Uint8Array) => (shown += String(text)) };
  const answer = askSecret(terminal as unknown as ReadStream, output, 'API key: ', signal);
  return { terminal, answer, shown: () => shown };
}

const expectRestored = (terminal: FakeTerminal) => {
  expect(terminal).toMatchObject({ isRaw: false, isReading: false });
  expect(terminal.listenerCount('data')).toBe(0);
};

describe('askSecret', () => {
  it('returns what was typed and corrected, shows none of it, and restores the terminal', async () => {
    const { terminal, answer, shown } = ask();
    expect(terminal.isRaw).toBe(true);
    terminal.type('sex\u007F');
    terminal.type('cret\r');
    expect(await answer).toBe('secret');
    expect(shown()).toBe('API key: \n');
    expectRestored(terminal);
  });

  it('is interrupted by the first Ctrl-C, and restores the terminal', async () => {
    const { terminal, answer } = ask();
    terminal.type('half\u0003');
    await expect(answer).rejects.toBeInstanceOf(InterruptedError);
    expectRestored(terminal);
  });

  it('is interrupted by the first SIGINT of another process, and restores the terminal', async () => {
    const interruption = new AbortController();
    const { terminal, answer } = ask(interruption.signal);
    interruption.abort(new InterruptedError('Interrupted.'));
    await expect(answer).rejects.toBeInstanceOf(InterruptedError);
    expectRestored(terminal);
  });
});
