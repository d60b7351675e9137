import { setTimeout as pause } from 'node:timers/promises';
import { explainInstallFailure, runCaptured } from '../command.mjs';
import { printProgress, UserFacingError } from '../user-facing-error.mjs';
import { withoutServices } from './service-policy.mjs';

/** Another program may hold the lock of apt-get. */
const LOCK_TIMEOUT_MS = 900_000;
const LOCK_RETRY_MS = 2_000;
/** In English, because its messages are read. */
const APT_GET = ['env', 'LC_ALL=C', 'DEBIAN_FRONTEND=noninteractive', 'apt-get'];

/** @typedef {import('./required-programs.mjs').Need} Need */

/**
 * Installs packages with apt-get.
 *
 * @param {readonly Need[]} missing
 * @throws UserFacingError with the command to run, if there is no permission to install
 */
export async function createAptInstaller(missing) {
  const root = process.getuid?.() === 0;
  const formatInstallCommand = (packages) => `${root ? '' : 'sudo '}apt-get install -y ${packages.join(' ')}`;
  if (!root && (await runAsRoot(['true'])).code !== 0) {
    const packages = missing.flatMap((need) => need.apt);
    const names = missing.map((need) => need.what).join(', ');
    throw new UserFacingError(
      `Missing: ${names}, and no permission to install. Run, then try again: ${formatInstallCommand(packages)}`,
    );
  }
  const services = missing.flatMap((need) => need.service ?? []);
  return {
    kind: /** @type {const} */ ('apt'),
    name: 'apt-get',
    formatInstallCommand,
    install: (packages) =>
      withoutServices(services, (signal) => installWithApt(packages, { runAsRoot, signal }), { runAsRoot }),
  };
}

/** @param {readonly string[]} command */
function runAsRoot([program = '', ...rest]) {
  return process.getuid?.() === 0
    ? runCaptured(program, rest)
    : runCaptured('sudo', ['-n', program, ...rest]);
}

/**
 * Fetches the package list if packages are not in it.
 *
 * @param {readonly string[]} packages
 * @param {{ runAsRoot: typeof runAsRoot, signal: AbortSignal, lockTimeoutMs?: number, retryMs?: number }} options
 *   lockTimeoutMs: while another program fetches the list; signal: ends the wait
 */
export async function installWithApt(packages, options) {
  const runAptGet = (parameters) => options.runAsRoot([...APT_GET, ...parameters]);
  const flags = [
    '-y',
    '-q',
    '--no-install-recommends',
    '-o',
    `DPkg::Lock::Timeout=${LOCK_TIMEOUT_MS / 1_000}`,
  ];
  const first = await runAptGet(['install', ...flags, ...packages]);
  if (
    first.code === 0 ||
    !/unable to locate|no installation candidate|404|unable to fetch/i.test(first.output)
  ) {
    return first;
  }
  printProgress('The package list is outdated or missing; fetching it ...');
  const update = await fetchPackageList(runAptGet, options);
  return update.code === 0 ? runAptGet(['install', ...flags, ...packages]) : update;
}

/**
 * Repeats it while the list is locked: unlike an installation, apt-get does not wait for this lock.
 *
 * @param {(parameters: readonly string[]) => Promise<{ code: number, output: string }>} runAptGet
 * @param {Parameters<typeof installWithApt>[1]} options
 */
async function fetchPackageList(
  runAptGet,
  { signal, lockTimeoutMs = LOCK_TIMEOUT_MS, retryMs = LOCK_RETRY_MS },
) {
  const deadline = Date.now() + lockTimeoutMs;
  for (;;) {
    const update = await runAptGet(['update', '-q']);
    const isLocked = /unable to lock directory|could not get lock/i.test(update.output);
    // No permission to lock is no lock of another program.
    const isTemporary = update.code !== 0 && isLocked && explainInstallFailure(update.output) === undefined;
    if (!isTemporary || Date.now() > deadline) return update;
    await pause(retryMs, undefined, { signal });
  }
}
