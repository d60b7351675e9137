import { execFileSync, spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { cage } from './cage.js';
import { wrappers } from './protection.js';
import { runTool } from './run-tool.js';
import { streamTool } from './stream-tool.js';
import { ToolFailed, ToolMissing, ToolTimedOut } from './tool-errors.js';

const SHELL = { name: '/bin/sh', install: 'Part of every system.' };
const LIMITS = { memoryBytes: 256 * 1024 * 1024, cpuSeconds: 20, fileBytes: 4096, wallSeconds: 20 };
const never = new AbortController().signal;

function shell(script: string, over: { signal?: AbortSignal; limits?: Partial<typeof LIMITS> } = {}) {
  return {
    tool: SHELL,
    args: ['-c', script],
    limits: { ...LIMITS, ...over.limits },
    signal: over.signal ?? never,
  };
}

async function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** Command lines of the processes that hold the text. */
function processes(text: string): string[] {
  const lines = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.includes(text));
}

function running(mark: string): boolean {
  return processes(`: ${mark};`).length > 0;
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

describe('where the system offers it', async () => {
  const { prlimit, noNetwork, setpriv } = await wrappers();

  it.skipIf(prlimit === null)('caps processor time, and says so', async () => {
    const error = await failure(runTool(shell('while :; do :; done', { limits: { cpuSeconds: 1 } })));
    expect(error).toMatchObject({ name: 'ToolTimedOut', limit: 'cpu' });
  });

  it.skipIf(prlimit === null)('caps the size of files', async () => {
    const script = 'f=$(mktemp); trap "rm $f" EXIT; head -c 9000 /dev/zero > "$f"; wc -c < "$f"; true';
    expect((await runTool(shell(script))).toString().trim()).toBe('4096');
  });

  it.skipIf(noNetwork === null)('leaves no network but a loopback that is down', async () => {
    const lines = (await runTool(shell('cat /proc/net/dev'))).toString().trim().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[2]).toMatch(/^\s*lo:/);
  });

  it.skipIf(setpriv === null)('lets no program outlive its parent, even one that is killed', async () => {
    const program = cage(['/bin/sh', '-c', ': orphan-mark; sleep 50; :'], LIMITS, await wrappers());
    const parent = spawn('/bin/sh', ['-c', '"$@" & wait', 'sh', ...program], { stdio: 'ignore' });
    // Until the wrappers have made way for the program itself, there is no signal to wait for.
    await expect
      .poll(() => processes(': orphan-mark;').some((line) => line.startsWith('/bin/sh -c :')))
      .toBe(true);
    parent.kill('SIGKILL');
    await expect.poll(() => processes(': orphan-mark;')).toEqual([]);
  });

  it.skipIf(setpriv === null)('may gain no privileges', async () => {
    expect((await runTool(shell('cat /proc/self/status'))).toString()).toMatch(/NoNewPrivs:\s*1/);
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
