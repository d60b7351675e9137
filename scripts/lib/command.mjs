import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { Interruption, STOP_SIGNALS } from './interruption.mjs';
import { ROOT } from './root.mjs';

const MAX_OUTPUT_LENGTH = 20_000;

/**
 * Runs a command and returns its output. A missing command has code 127. A signal to this process ends the command first.
 *
 * @param {string} command
 * @param {readonly string[]} parameters
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string }} [options]
 * @returns {Promise<{ code: number, output: string }>}
 * @throws Interruption when a signal to this process has ended the command, and nothing else
 */
export function runCaptured(command, parameters, { env = process.env, cwd = ROOT } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, parameters, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const appendOutput = (text) => (output = (output + text).slice(-MAX_OUTPUT_LENGTH));
    child.stdout.on('data', appendOutput);
    child.stderr.on('data', appendOutput);
    const interrupt = (signal) => {
      const fail = () => finish(() => reject(new Interruption(signal)));
      if (child.exitCode !== null || child.signalCode !== null) return fail();
      // What the command started may keep its output open.
      child.once('exit', fail);
      child.kill(signal);
    };
    // Once, so that a second signal ends this process at once, unless others handle it.
    for (const signal of STOP_SIGNALS) process.once(signal, interrupt);
    const finish = (settle) => {
      for (const signal of STOP_SIGNALS) process.off(signal, interrupt);
      settle();
    };
    child.on('error', (error) => {
      // Else it is a signal that this user may not send, for example to sudo.
      if (child.pid === undefined) finish(() => resolve({ code: 127, output: error.message }));
    });
    child.on('close', (code) => finish(() => resolve({ code: code ?? 1, output })));
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
