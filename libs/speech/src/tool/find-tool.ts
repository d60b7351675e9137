import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { type Tool, ToolMissingError } from './tool-errors.js';

/** Fixed, so that what runs does not depend on the environment of whoever started the service. */
const SEARCH_FOLDERS = [
  '/usr/local/bin',
  '/usr/bin',
  '/bin',
  '/usr/local/sbin',
  '/usr/sbin',
  '/sbin',
  '/opt/homebrew/bin',
];

export const TOOL_PATH = SEARCH_FOLDERS.join(':');

/** The absolute path of a program, or null when it is not installed. */
export async function locateExecutable(name: string): Promise<string | null> {
  const candidates = isAbsolute(name) ? [name] : SEARCH_FOLDERS.map((folder) => join(folder, name));
  for (const path of candidates) {
    if (await isExecutable(path)) return path;
  }
  return null;
}

/** The absolute path of a program. Throws `ToolMissingError`. */
export async function findTool(tool: Tool): Promise<string> {
  const path = await locateExecutable(tool.name);
  if (path === null) throw new ToolMissingError(tool.name, tool.install);
  return path;
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
