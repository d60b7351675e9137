import { type Allowance, cage } from './cage.js';
import { TOOL_PATH } from './find-tool.js';
import { wrappers } from './protection.js';

/** What `spawn` takes to start a program in a cage; how its streams are connected is for whoever starts it. */
export interface CagedCommand {
  file: string;
  args: string[];
  options: { cwd: string; env: Record<string, string>; detached: true };
}

/** The one way to start a program outside of this process: in every protection that this machine offers. */
export async function cagedCommand(
  [program, ...words]: readonly [string, ...string[]],
  allowance: Allowance,
  env: Readonly<Record<string, string>> = {},
): Promise<CagedCommand> {
  const [file = program, ...args] = cage([program, ...words], allowance, await wrappers());
  return {
    file,
    args,
    options: {
      cwd: allowance.files.folder ?? '/',
      // Nothing of our environment: it may hold secrets.
      env: { ...env, PATH: TOOL_PATH, LC_ALL: 'C' },
      // A process group of its own, for `killGroup`.
      detached: true,
    },
  };
}
