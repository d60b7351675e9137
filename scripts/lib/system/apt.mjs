import { access } from 'node:fs/promises';
import { runCaptured } from '../command.mjs';
import { printProgress, UserFacingError } from '../user-facing-error.mjs';

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
    install: (packages) => withoutServices(services, () => installWithApt(packages)),
  };
}

/** @param {readonly string[]} command */
function runAsRoot([program, ...rest]) {
  return process.getuid?.() === 0
    ? runCaptured(program, rest)
    : runCaptured('sudo', ['-n', program, ...rest]);
}

/** @param {readonly string[]} packages */
async function installWithApt(packages) {
  // In CI another installation has the lowest priority.
  const flags = ['-y', '-q', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=900'];
  const first = await runAptGet(['install', ...flags, ...packages]);
  if (
    first.code === 0 ||
    !/unable to locate|no installation candidate|404|unable to fetch/i.test(first.output)
  ) {
    return first;
  }
  printProgress('The package list is outdated or missing; fetching it ...');
  const update = await runAptGet(['update', '-q']);
  return update.code === 0 ? runAptGet(['install', ...flags, ...packages]) : update;
}

/** @param {readonly string[]} parameters */
function runAptGet(parameters) {
  return runAsRoot(['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...parameters]);
}

/**
 * Prevents packages from starting system services, now and at the next boot, because this project starts private ones.
 * An existing policy stays unchanged.
 *
 * @template T
 * @param {readonly string[]} services
 * @param {() => Promise<T>} install
 */
async function withoutServices(services, install) {
  if (services.length === 0) return install();
  const policy = '/usr/sbin/policy-rc.d';
  const createPolicy = `test ! -e ${policy} && printf '#!/bin/sh\\nexit 101\\n' > ${policy} && chmod 755 ${policy}`;
  const hasPolicy = (await runAsRoot(['sh', '-c', createPolicy])).code === 0;
  try {
    return await install();
  } finally {
    if (hasPolicy) await runAsRoot(['rm', '-f', policy]);
    const systemd = await access('/run/systemd/system').then(
      () => true,
      () => false,
    );
    if (hasPolicy && systemd) await runAsRoot(['systemctl', 'disable', ...services]);
  }
}
