import { describe, expect, it } from 'vitest';
import { runTool } from './run-tool.js';
import { streamTool } from './stream-tool.js';
import { failure, LIMITS, processesWith, shell } from './testing/shell.js';
import { ToolFailed, ToolMissing, ToolTimedOut } from './tool-errors.js';

function running(mark: string): boolean {
  return processesWith(`: ${mark};`).length > 0;
}

describe('runTool', () => {
  it('returns what the program prints, up to the bound', async () => {
    expect((await runTool(shell('echo hello'))).toString()).toBe('hello\n');
    expect((await runTool(shell('echo hello'), 3)).toString()).toBe('hel');
  });

  it('hands on nothing of our environment', async () => {
    process.env['ZEPHYR_TEST_SECRET'] = 'planted';
    const seen = (await runTool(shell('env'))).toString();
    delete process.env['ZEPHYR_TEST_SECRET'];
    expect(seen).toContain('LC_ALL=C');
    expect(seen).not.toContain('planted');
  });

  it('hands on the variables that are given, and not for those that all get', async () => {
    const seen = (await runTool(shell('env', { env: { GIVEN: 'this', LC_ALL: 'not this' } }))).toString();
    expect(seen).toContain('GIVEN=this\n');
    expect(seen).toContain('LC_ALL=C\n');
  });

  it('names a missing program and what to install', async () => {
    const tool = { name: 'no-such-program-here', install: 'Install it by hand.' };
    const error = await failure(runTool({ ...shell(''), tool }));
    expect(error).toBeInstanceOf(ToolMissing);
    expect(String(error)).toContain('Install it by hand.');
  });

  it('tells exit code and the end of the error output', async () => {
    const error = await failure(runTool(shell('echo broken >&2; exit 7')));
    expect(error).toBeInstanceOf(ToolFailed);
    expect(error).toMatchObject({ exitCode: 7, stderrTail: 'broken\n' });
    expect(String(error)).not.toContain('broken');
  });

  it('ends the whole group at the wall limit', async () => {
    const error = await failure(
      runTool(shell(': wall-mark; (sleep 50; :) & wait', { limits: { wallSeconds: 0.2 } })),
    );
    expect(error).toBeInstanceOf(ToolTimedOut);
    expect(error).toMatchObject({ limit: 'wall' });
    await expect.poll(() => running('wall-mark')).toBe(false);
  });

  it('ends at once when aborted, with the reason given', async () => {
    const controller = new AbortController();
    const work = failure(runTool(shell(': abort-mark; sleep 50; :', { signal: controller.signal })));
    await expect.poll(() => running('abort-mark')).toBe(true);
    controller.abort(new Error('enough'));
    expect(await work).toMatchObject({ message: 'enough' });
    expect(running('abort-mark')).toBe(false);
  });

  it('does not start when it is aborted already', async () => {
    expect(await failure(runTool(shell('echo', { signal: AbortSignal.abort('before') })))).toBe('before');
  });
});

describe('streamTool', () => {
  it('yields all bytes, then fails as the program did', async () => {
    const got: Buffer[] = [];
    const error = await failure(
      (async () => {
        for await (const bytes of streamTool(shell('echo one; exit 3'))) got.push(bytes);
      })(),
    );
    expect(Buffer.concat(got).toString()).toBe('one\n');
    expect(error).toMatchObject({ exitCode: 3 });
  });

  it('ends the program when the reader leaves', async () => {
    for await (const bytes of streamTool(shell(': leave-mark; while :; do echo yes; done'))) {
      expect(bytes.length).toBeGreaterThan(0);
      break;
    }
    expect(running('leave-mark')).toBe(false);
  });

  it('counts only the time that the reader waits against the stall limit', async () => {
    const limits = { ...LIMITS, stallSeconds: 0.3 };
    const error = await failure(
      (async () => {
        for await (const bytes of streamTool({ ...shell('echo a; sleep 50; :'), limits })) bytes.toString();
      })(),
    );
    expect(error).toMatchObject({ name: 'ToolTimedOut', limit: 'stall' });
  });
});
