import { SandboxedProcess, type ToolRun } from './sandboxed-process.js';

/**
 * Runs a program to its end and returns what it printed, at most `maxBytes` (the rest is dropped).
 *
 * Throws `ToolMissingError`, `ToolFailedError`, `ToolTimeoutError` or the reason of the abort.
 */
export async function runTool(run: ToolRun, maxBytes = 1024 * 1024): Promise<Buffer> {
  const program = await SandboxedProcess.start(run);
  const kept: Buffer[] = [];
  let size = 0;
  program.output.on('data', (bytes: Buffer) => {
    const room = Math.max(0, maxBytes - size);
    if (room > 0) kept.push(bytes.subarray(0, room));
    size += bytes.length;
  });
  await program.waitForExit();
  return Buffer.concat(kept);
}

/**
 * Runs a program and yields what it prints as it is read: a slow reader slows the program.
 *
 * Leaving the loop early ends the program. Throws as `runTool`, after all bytes that did arrive were yielded.
 */
export async function* streamTool(run: ToolRun): AsyncGenerator<Buffer, void, undefined> {
  const program = await SandboxedProcess.start(run);
  try {
    const reader = program.output[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    for (;;) {
      const next = await nextBytes(program, reader, run.limits.stallSeconds);
      if (next === null) break;
      yield next;
    }
    await program.waitForExit();
  } finally {
    await program.dispose();
  }
}

/** The next bytes, or null at the end. Only the time spent waiting counts against the stall limit. */
async function nextBytes(
  program: SandboxedProcess,
  reader: AsyncIterator<Buffer>,
  stallSeconds: number | undefined,
): Promise<Buffer | null> {
  const timer =
    stallSeconds === undefined
      ? undefined
      : setTimeout(() => program.killForTimeout('stall', stallSeconds), stallSeconds * 1000);
  try {
    const next = await reader.next();
    return next.done ? null : next.value;
  } catch {
    // A torn pipe: how the program ended tells why.
    return null;
  } finally {
    clearTimeout(timer);
  }
}
