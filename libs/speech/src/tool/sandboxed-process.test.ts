import { describe, expect, it, onTestFinished } from 'vitest';
import { SandboxedProcess } from './sandboxed-process.js';
import { buildShellToolRun } from './testing/shell.js';

describe('SandboxedProcess', () => {
  it('running is false once the program exits, although its output is unread', async () => {
    const program = await SandboxedProcess.start(buildShellToolRun('echo unread'));
    onTestFinished(() => program.dispose());
    // A listener of this event reads by itself.
    program.output.on('readable', () => undefined);
    let finished = false;
    const ending = program.waitForExit().then(() => (finished = true));
    expect(program.running).toBe(true);
    await expect.poll(() => program.running, { timeout: 10_000 }).toBe(false);
    expect(finished).toBe(false);
    program.output.removeAllListeners('readable').resume();
    await ending;
  });

  it('running is false after a kill', async () => {
    const program = await SandboxedProcess.start(buildShellToolRun('sleep 50'));
    onTestFinished(() => program.dispose());
    program.waitForExit().catch(() => undefined);
    program.kill('enough');
    await expect.poll(() => program.running, { timeout: 10_000 }).toBe(false);
  });
});
