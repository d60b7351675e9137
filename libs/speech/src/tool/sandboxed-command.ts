import { type SandboxPolicy, buildSandboxCommand } from './build-sandbox-command.js';
import { TOOL_PATH } from './tool.js';
import { findSandboxWrappers } from './sandbox-capabilities.js';

/** What `spawn` takes to start a program in a cage; how its streams are connected is for whoever starts it. */
export interface SandboxedCommand {
  file: string;
  args: string[];
  options: { cwd: string; env: Record<string, string>; detached: true };
}

/** The one way to start a program outside of this process: in every protection that this machine offers. */
export async function prepareSandboxedCommand(
  [program, ...words]: readonly [string, ...string[]],
  allowance: SandboxPolicy,
  env: Readonly<Record<string, string>> = {},
): Promise<SandboxedCommand> {
  const [file = program, ...args] = buildSandboxCommand(
    [program, ...words],
    allowance,
    await findSandboxWrappers(),
  );
  return {
    file,
    args,
    options: {
      cwd: allowance.files.folder ?? '/',
      // Nothing of our environment: it may hold secrets.
      env: { ...env, PATH: TOOL_PATH, LC_ALL: 'C' },
      // A process group of its own, for `killProcessGroup`.
      detached: true,
    },
  };
}
