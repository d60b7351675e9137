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
