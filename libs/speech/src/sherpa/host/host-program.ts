import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('./host.mjs', import.meta.url));
/** The library, and its native part for this machine. */
const PACKAGES = ['sherpa-onnx-node', `sherpa-onnx-${process.platform}-${process.arch}`];
/** Of the processors the library wants to know how many there are and what they can do. */
const CPU_INFO_FOLDER = '/sys/devices/system/cpu';

/** The command line of a host. */
export const HOST_COMMAND = [realpathSync(process.execPath), PROGRAM] as const;

/** What a host reads beside models. Packages are named by the paths under which Node looks for them. */
export function listHostFiles(): string[] {
  const folders = createRequire(PROGRAM).resolve.paths(PACKAGES.join()) ?? [];
  const packages = PACKAGES.flatMap(
    (name) => folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? [],
  );
  const [node] = HOST_COMMAND;
  return [node, dirname(PROGRAM), ...packages, ...[CPU_INFO_FOLDER].filter((path) => existsSync(path))];
}
