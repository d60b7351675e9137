import { CagedProcess, type ToolRun } from './caged-process.js';

/**
 * Runs a program to its end and returns what it printed, at most `maxBytes` (the rest is dropped).
 *
 * Throws `ToolMissing`, `ToolFailed`, `ToolTimedOut` or the reason of the abort.
 */
export async function runTool(run: ToolRun, maxBytes = 1024 * 1024): Promise<Buffer> {
  const program = await CagedProcess.start(run);
  const kept: Buffer[] = [];
  let size = 0;
  program.output.on('data', (bytes: Buffer) => {
    const room = Math.max(0, maxBytes - size);
    if (room > 0) kept.push(bytes.subarray(0, room));
    size += bytes.length;
  });
  await program.finished();
  return Buffer.concat(kept);
}
