import { describe, expect, it } from 'vitest';
import { runTool, streamTool } from './run-tool.js';
import { catchRejection, SHELL_LIMITS, findProcessCommandLines, buildShellToolRun } from './testing/shell.js';
import { ToolFailedError, ToolMissingError, ToolTimeoutError } from './tool.js';

function running(mark: string): boolean {
  return findProcessCommandLines(`: ${mark};`).length > 0;
}

describe('runTool', () => {
  it('returns the output of the program up to the byte limit', async () => {
    expect((await runTool(buildShellToolRun('echo hello'))).toString()).toBe('hello\n');
    expect((await runTool(buildShellToolRun('echo hello'), 3)).toString()).toBe('hel');
  });

  it('the program inherits nothing from our environment', async () => {
    process.env['ZEPHYR_TEST_SECRET'] = 'planted';
    const output = (await runTool(buildShellToolRun('env'))).toString();
    delete process.env['ZEPHYR_TEST_SECRET'];
    expect(output).toContain('LC_ALL=C');
    expect(output).not.toContain('planted');
  });

  it('given variables are passed on and cannot replace the fixed ones', async () => {
    const output = (
      await runTool(buildShellToolRun('env', { env: { GIVEN: 'this', LC_ALL: 'not this' } }))
    ).toString();
    expect(output).toContain('GIVEN=this\n');
    expect(output).toContain('LC_ALL=C\n');
  });

  it('a missing program is named with the package to install', async () => {
    const tool = { name: 'no-such-program-here', install: 'Install it by hand.' };
    const error = await catchRejection(runTool({ ...buildShellToolRun(''), tool }));
    expect(error).toBeInstanceOf(ToolMissingError);
    expect(String(error)).toContain('Install it by hand.');
  });

  it('an error has the exit code and the end of stderr', async () => {
    const error = await catchRejection(runTool(buildShellToolRun('echo broken >&2; exit 7')));
    expect(error).toBeInstanceOf(ToolFailedError);
    expect(error).toMatchObject({ exitCode: 7, stderrTail: 'broken\n' });
    expect(String(error)).not.toContain('broken');
  });

  it('the whole process group is killed at the wall-clock limit', async () => {
    const error = await catchRejection(
      runTool(buildShellToolRun(': wall-mark; (sleep 50; :) & wait', { limits: { wallSeconds: 0.2 } })),
    );
    expect(error).toBeInstanceOf(ToolTimeoutError);
    expect(error).toMatchObject({ limit: 'wall' });
    await expect.poll(() => running('wall-mark')).toBe(false);
  });

  it('an abort kills the program at once and throws its reason', async () => {
    const controller = new AbortController();
    const work = catchRejection(
      runTool(buildShellToolRun(': abort-mark; sleep 50; :', { signal: controller.signal })),
    );
    await expect.poll(() => running('abort-mark')).toBe(true);
    controller.abort(new Error('enough'));
    expect(await work).toMatchObject({ message: 'enough' });
    expect(running('abort-mark')).toBe(false);
  });

  it('the program does not start with a signal that is already aborted', async () => {
    expect(
      await catchRejection(runTool(buildShellToolRun('echo', { signal: AbortSignal.abort('before') }))),
    ).toBe('before');
  });
});

describe('streamTool', () => {
  it('yields all bytes and then throws the error of the program', async () => {
    const got: Buffer[] = [];
    const error = await catchRejection(
      (async () => {
        for await (const bytes of streamTool(buildShellToolRun('echo one; exit 3'))) got.push(bytes);
      })(),
    );
    expect(Buffer.concat(got).toString()).toBe('one\n');
    expect(error).toMatchObject({ exitCode: 3 });
  });

  it('leaving the loop kills the program', async () => {
    for await (const bytes of streamTool(buildShellToolRun(': leave-mark; while :; do echo yes; done'))) {
      expect(bytes.length).toBeGreaterThan(0);
      break;
    }
    expect(running('leave-mark')).toBe(false);
  });

  it('only the waiting time of the reader counts against the stall limit', async () => {
    const limits = { ...SHELL_LIMITS, stallSeconds: 0.3 };
    const error = await catchRejection(
      (async () => {
        for await (const bytes of streamTool({ ...buildShellToolRun('echo a; sleep 50; :'), limits }))
          bytes.toString();
      })(),
    );
    expect(error).toMatchObject({ name: 'ToolTimeoutError', limit: 'stall' });
  });
});
