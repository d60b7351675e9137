import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { constants as system } from 'node:os';
import { delimiter, join } from 'node:path';
import { ROOT } from './root.mjs';

const MAX_OUTPUT_LENGTH = 20_000;
const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * Runs a command and returns its output. Never rejects: a missing command has code 127. A signal to this process
 * ends the command first.
 *
 * @param {string} command
 * @param {readonly string[]} parameters
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string }} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export function runCaptured(command, parameters, { env = process.env, cwd = ROOT } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, parameters, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const appendOutput = (text) => (output = (output + text).slice(-MAX_OUTPUT_LENGTH));
    child.stdout.on('data', appendOutput);
    child.stderr.on('data', appendOutput);
    const interrupt = (signal) => {
      child.kill(signal);
      process.exit(128 + system.signals[signal]);
    };
    for (const signal of SIGNALS) process.once(signal, interrupt);
    const finish = (code, text) => {
      for (const signal of SIGNALS) process.off(signal, interrupt);
      resolve({ code, output: text });
    };
    child.on('error', (error) => finish(127, error.message));
    child.on('close', (code) => finish(code ?? 1, output));
  });
}

/** @param {string} name @param {readonly string[]} [extraFolders] folders besides PATH */
export async function findCommand(name, extraFolders = []) {
  for (const folder of [...(process.env.PATH ?? '').split(delimiter), ...extraFolders]) {
    const path = join(folder, name);
    if (
      folder &&
      (await access(path, constants.X_OK).then(
        () => true,
        () => false,
      ))
    )
      return path;
  }
  return undefined;
}

/** Derives a readable reason from the output of a failed installer; undefined for unknown reasons. */
export function explainInstallFailure(output) {
  if (/ENOSPC|no space left on device|don't have enough free space/i.test(output)) return 'the disk is full';
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|ECONNRESET/.test(output))
    return 'the network cannot be reached';
  if (
    /temporary failure resolving|could not (connect|resolve)|network is unreachable|unable to connect/i.test(
      output,
    )
  ) {
    return 'the network cannot be reached';
  }
  if (/EACCES|EPERM|EROFS|permission denied|are you root|read-only file system/i.test(output)) {
    return 'there is no permission to write';
  }
  return undefined;
}

/** @param {string} output */
export function lastLine(output) {
  return output.trim().split('\n').at(-1)?.trim() ?? '';
}
