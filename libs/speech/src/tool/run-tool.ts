import { SandboxedProcess, type ToolRunOptions } from './sandboxed-process.js';

/**
 * Truncates the output to `maxBytes`.
 * @throws ToolMissingError, ToolFailedError, ToolTimeoutError; the reason of the abort
 */
export async function runTool(run: ToolRunOptions, maxBytes = 1024 * 1024): Promise<Buffer> {
  const program = await SandboxedProcess.start(run);
  const chunks: Buffer[] = [];
  let size = 0;
  program.output.on('data', (bytes: Buffer) => {
    const remaining = Math.max(0, maxBytes - size);
    if (remaining > 0) chunks.push(bytes.subarray(0, remaining));
    size += bytes.length;
  });
  await program.waitForExit();
  return Buffer.concat(chunks);
}

/**
 * A slow consumer slows the program; leaving the loop early kills it.
 * @throws like `runTool`, after all output was yielded
 */
export async function* streamTool(run: ToolRunOptions): AsyncGenerator<Buffer, void, undefined> {
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

/** Resolves to null at the end. Only the time spent waiting counts as a stall. */
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
    // Broken pipe; `waitForExit` reports the reason.
    return null;
  } finally {
    clearTimeout(timer);
  }
}
