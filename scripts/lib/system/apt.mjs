import { access } from 'node:fs/promises';
import { capture } from '../command.mjs';
import { say, Trouble } from '../trouble.mjs';

/** @typedef {import('./needs.mjs').Need} Need */

/**
 * Debian's and Ubuntu's package manager.
 *
 * @param {readonly Need[]} missing
 * @throws Trouble when nothing may be installed, with what to do
 */
export async function apt(missing) {
  const root = process.getuid?.() === 0;
  const byHand = (packages) => `${root ? '' : 'sudo '}apt-get install -y ${packages.join(' ')}`;
  if (!root && (await asRoot(['true'])).code !== 0) {
    const packages = missing.flatMap((need) => need.apt);
    const names = missing.map((need) => need.what).join(', ');
    throw new Trouble(
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
  return process.getuid?.() === 0 ? capture(program, rest) : capture('sudo', ['-n', program, ...rest]);
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
  say('The list of packages is old or absent; fetching it ...');
  const update = await aptGet(['update', '-q']);
  return update.code === 0 ? aptGet(['install', ...flags, ...packages]) : update;
}

/** @param {readonly string[]} parameters */
function aptGet(parameters) {
  return asRoot(['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...parameters]);
}

/**
 * Keeps packages from starting system services while they are installed, and at the next boot: ours are private.
 * A policy that the system has already is left alone.
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
