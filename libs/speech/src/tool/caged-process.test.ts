import { describe, expect, it, onTestFinished } from 'vitest';
import { CagedProcess } from './caged-process.js';
import { shell } from './testing/shell.js';

describe('CagedProcess', () => {
  it('runs no more as soon as it is gone, though nobody has read all of its output', async () => {
    const program = await CagedProcess.start(shell('echo unread'));
    onTestFinished(() => program.dispose());
    // Who listens to this event reads by hand.
    program.output.on('readable', () => undefined);
    let finished = false;
    const ending = program.finished().then(() => (finished = true));
    expect(program.running).toBe(true);
    await expect.poll(() => program.running, { timeout: 10_000 }).toBe(false);
    expect(finished).toBe(false);
    program.output.removeAllListeners('readable').resume();
    await ending;
  });

  it('runs no more when it was killed', async () => {
    const program = await CagedProcess.start(shell('sleep 50'));
    onTestFinished(() => program.dispose());
    program.finished().catch(() => undefined);
    program.end('enough');
    await expect.poll(() => program.running, { timeout: 10_000 }).toBe(false);
  });
});
