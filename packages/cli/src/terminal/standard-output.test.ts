import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { StandardOutput } from './standard-output.js';

/** @param code of the error of every write; without it, what is written is kept */
function createOutput(code?: string) {
  let text = '';
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      if (code !== undefined) return done(Object.assign(new Error(code), { code }));
      text += String(chunk);
      done();
    },
    autoDestroy: false,
  });
  const failures: string[] = [];
  const output = new StandardOutput(stream as unknown as NodeJS.WriteStream, ({ message }) =>
    failures.push(message),
  );
  return { output, failures, text: () => text };
}

describe('standard output', () => {
  it('has all that was written when it is flushed', async () => {
    const { output, text } = createOutput();
    output.write('a');
    output.write(new Uint8Array([98]));
    await output.flush();
    expect(text()).toBe('ab');
    expect(output.isClosed).toBe(false);
  });

  it('that nobody reads any more is closed, and what follows is dropped without an error', async () => {
    const { output, failures } = createOutput('EPIPE');
    output.write('a');
    await expect.poll(() => output.isClosed).toBe(true);
    output.write('b');
    await output.flush();
    expect(failures).toEqual([]);
  });

  it('that cannot be written reports why, once', async () => {
    const { output, failures } = createOutput('ENOSPC');
    output.write('a');
    await output.flush();
    expect(failures).toEqual(['ENOSPC']);
    expect(output.isClosed).toBe(false);
  });
});
