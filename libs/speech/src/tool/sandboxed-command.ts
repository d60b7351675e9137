import { type SandboxPolicy, buildSandboxCommand } from './build-sandbox-command.js';
import { TOOL_SEARCH_PATH } from './tool.js';
import { detectSandboxWrappers } from './sandbox-capabilities.js';

export interface SandboxedCommand {
  file: string;
  args: string[];
  options: { cwd: string; env: Record<string, string>; detached: true };
}

let hiddenFolders: readonly string[] = [];

/**
 * Hides folders of the service from programs in the sandbox, for example because it is installed in `/usr`.
 * @param folders absolute paths; what a program needs of them must be among its `reads`
 */
export function setSandboxHiddenFolders(folders: readonly string[]): void {
  hiddenFolders = folders;
}

/** Prepares the command of an external program with every protection that this machine offers. All external programs start by it. */
export async function prepareSandboxedCommand(
  [program, ...words]: readonly [string, ...string[]],
  policy: SandboxPolicy,
  env: Readonly<Record<string, string>> = {},
): Promise<SandboxedCommand> {
  const [file = program, ...args] = buildSandboxCommand(
    [program, ...words],
    { ...policy, files: { hidden: hiddenFolders, ...policy.files } },
    await detectSandboxWrappers(),
  );
  return {
    file,
    args,
    options: {
      cwd: policy.files.folder ?? '/',
      // The environment may contain secrets.
      env: { ...env, PATH: TOOL_SEARCH_PATH, LC_ALL: 'C' },
      // A separate process group, for `killProcessGroup`.
      detached: true,
    },
  };
}
