import { access } from 'node:fs/promises';
import { runCaptured } from '../command.mjs';
import { printProgress, UserFacingError } from '../user-facing-error.mjs';

/** @typedef {import('./required-programs.mjs').Need} Need */

/**
 * Installs packages with apt-get.
 *
 * @param {readonly Need[]} missing
 * @throws UserFacingError when nothing may be installed, with what to do
 */
export async function createAptInstaller(missing) {
  const root = process.getuid?.() === 0;
  const byHand = (packages) => `${root ? '' : 'sudo '}apt-get install -y ${packages.join(' ')}`;
  if (!root && (await asRoot(['true'])).code !== 0) {
    const packages = missing.flatMap((need) => need.apt);
    const names = missing.map((need) => need.what).join(', ');
    throw new UserFacingError(
      `Missing: ${names}, and no permission to install. Run, then try again: ${byHand(packages)}`,
    );
  }
  const services = missing.flatMap((need) => need.service ?? []);
  return {
    kind: /** @type {const} */ ('apt'),
    name: 'apt-get',
    byHand,
    install: (packages) => withoutServices(services, () => aptInstall(packages)),
  };
}

/** @param {readonly string[]} words */
function asRoot([program, ...rest]) {
  return process.getuid?.() === 0
    ? runCaptured(program, rest)
    : runCaptured('sudo', ['-n', program, ...rest]);
}

/** @param {readonly string[]} packages */
async function aptInstall(packages) {
  const flags = ['-y', '-q', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300'];
  const first = await aptGet(['install', ...flags, ...packages]);
  if (
    first.code === 0 ||
    !/unable to locate|no installation candidate|404|unable to fetch/i.test(first.output)
  ) {
    return first;
  }
  printProgress('The list of packages is old or absent; fetching it ...');
  const update = await aptGet(['update', '-q']);
  return update.code === 0 ? aptGet(['install', ...flags, ...packages]) : update;
}

/** @param {readonly string[]} parameters */
function aptGet(parameters) {
  return asRoot(['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...parameters]);
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
  const make = `test ! -e ${policy} && printf '#!/bin/sh\\nexit 101\\n' > ${policy} && chmod 755 ${policy}`;
  const made = (await asRoot(['sh', '-c', make])).code === 0;
  try {
    return await install();
  } finally {
    if (made) await asRoot(['rm', '-f', policy]);
    const systemd = await access('/run/systemd/system').then(
      () => true,
      () => false,
    );
    if (made && systemd) await asRoot(['systemctl', 'disable', ...services]);
  }
}
