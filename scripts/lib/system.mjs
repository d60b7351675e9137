import { access } from 'node:fs/promises';
import { capture, findCommand, lastLine, usualReason } from './command.mjs';
import { say, Trouble } from './trouble.mjs';

/**
 * Something the system must have.
 *
 * @typedef {object} Need
 * @property {string} what the command, or what a person calls it
 * @property {string} why
 * @property {() => Promise<unknown>} find resolves to something truthy when it is there
 * @property {string} licence an SPDX expression, of the program as Debian builds it
 * @property {string[]} apt packages of Debian and Ubuntu
 * @property {string} [service] the system service that the Debian package brings, which we do not want
 * @property {string[]} brew formulas; none: it cannot be had that way, and only tests miss it
 * @property {boolean} [optional] there is a way without it, so that no failure to get it stops anything
 */

const command =
  (name, folders = []) =>
  () =>
    findCommand(name, folders);
const anyFile =
  (...paths) =>
  () =>
    Promise.any(paths.map((path) => access(path).then(() => path))).catch(() => undefined);

/** @type {Need[]} */
export const TO_RUN = [
  {
    what: 'ffmpeg',
    why: 'decodes audio',
    find: command('ffmpeg'),
    licence: 'GPL-2.0-or-later',
    apt: ['ffmpeg'],
    brew: ['ffmpeg'],
  },
  {
    what: 'pocketsphinx',
    why: 'recognises English speech offline',
    find: command('pocketsphinx_batch'),
    licence: 'BSD-2-Clause',
    apt: ['pocketsphinx'],
    brew: ['cmu-pocketsphinx'],
  },
  {
    what: 'the English model of pocketsphinx',
    why: 'is what it recognises with',
    find: anyFile(
      '/usr/share/pocketsphinx/model/en-us/en-us',
      '/opt/homebrew/share/pocketsphinx/model/en-us/en-us',
      '/usr/local/share/pocketsphinx/model/en-us/en-us',
    ),
    licence: 'BSD-2-Clause',
    apt: ['pocketsphinx-en-us'],
    brew: ['cmu-pocketsphinx'],
  },
  {
    what: 'espeak-ng',
    why: 'tells how the names of a custom vocabulary sound',
    find: command('espeak-ng'),
    licence: 'GPL-3.0-or-later',
    apt: ['espeak-ng'],
    brew: ['espeak-ng'],
  },
  {
    what: 'flite',
    why: 'gives a second opinion on that, and speaks the test material',
    find: command('flite'),
    licence: 'MIT-Festival',
    apt: ['flite'],
    brew: ['flite'],
  },
  {
    what: 'bwrap',
    why: 'shows media programs no files but their own',
    find: async () => process.platform !== 'linux' || command('bwrap')(),
    licence: 'LGPL-2.0-or-later',
    apt: ['bubblewrap'],
    brew: [],
    optional: true,
  },
];

/** A base system has perl without its library. */
async function wholePerl() {
  return (await capture('perl', ['-MGetopt::Std', '-e', '1'])).code === 0;
}

/** @type {Need[]} */
export const TO_TEST = [
  {
    what: 'curl',
    why: 'is what callers use',
    find: command('curl'),
    licence: 'curl',
    apt: ['curl'],
    brew: ['curl'],
  },
  {
    what: 'ps',
    why: 'shows what is left running',
    find: command('ps'),
    licence: 'GPL-2.0-or-later',
    apt: ['procps'],
    brew: [],
  },
  {
    what: 'sclite',
    why: 'counts word errors',
    find: command('sclite', ['/usr/lib/sctk/bin']),
    licence: 'NIST-PD',
    apt: ['sctk'],
    brew: [],
  },
  {
    what: 'the library of perl',
    why: 'counts speaker errors',
    find: wholePerl,
    licence: 'Artistic-1.0-Perl OR GPL-1.0-or-later',
    apt: ['perl'],
    brew: ['perl'],
  },
  {
    what: 'redis-server',
    why: 'is one of the two queues under test',
    find: command('redis-server'),
    licence: 'BSD-3-Clause',
    apt: ['redis-server'],
    service: 'redis-server',
    brew: ['redis'],
  },
];

/** One program of each package. Ceph's own services are none of ours: the test starts what it needs. */
const ofCeph = (program, why, packageName) => ({
  what: program,
  why,
  find: command(program),
  licence: 'LGPL-2.1-only OR LGPL-3.0-only',
  apt: [packageName],
  brew: [],
  service: 'ceph.target',
});

/** @type {Need[]} */
export const TO_TEST_S3 = [
  ofCeph('radosgw', 'is the S3 server under test, and checks signatures as Amazon does', 'radosgw'),
  ofCeph('ceph-mon', 'is the monitor that radosgw asks', 'ceph-mon'),
  ofCeph('ceph-osd', 'holds the objects of radosgw, in memory', 'ceph-osd'),
  ofCeph('ceph-authtool', 'sets the three up', 'ceph-common'),
];

/**
 * Installs what is missing, through apt-get or brew; says what and why. Does nothing when all is there: what is optional
 * comes along with other things, and never keeps anybody waiting by itself.
 *
 * @param {readonly Need[]} needs
 */
export async function ensureSystem(needs) {
  const missing = await missingOf(needs);
  const wanted = missing.filter((need) => !need.optional);
  if (wanted.length === 0) return;
  await installAll(wanted);
  for (const need of missing.filter(({ optional }) => optional)) {
    await installAll([need]).catch((error) => {
      if (!(error instanceof Trouble)) throw error;
      say(`${error.message} Going on without it.`);
    });
  }
}

/** @param {readonly Need[]} missing @throws Trouble */
async function installAll(missing) {
  const manager = await findManager(missing);
  const packages = [...new Set(missing.flatMap((need) => need[manager.kind]))];
  for (const need of missing) say(`Missing: ${need.what}, which ${need.why}.`);
  if (packages.length > 0) {
    say(`Installing ${packages.join(', ')} with ${manager.name} ...`);
    const { code, output } = await manager.install(packages);
    if (code !== 0) {
      const usual = usualReason(output);
      const line = `Installing failed: ${usual ?? lastLine(output)}. By hand: ${manager.byHand(packages)}`;
      throw new Trouble(line, usual ? '' : output);
    }
  }
  for (const need of await missingOf(missing)) {
    const only = `${need.what} cannot be had through ${manager.name}`;
    if (need[manager.kind].length === 0) say(`${only}: tests that need it are skipped.`);
    else throw new Trouble(`${packages.join(', ')} were installed, but ${need.what} is still missing.`);
  }
}

/** @param {readonly Need[]} needs */
async function missingOf(needs) {
  const found = await Promise.all(needs.map((need) => need.find()));
  return needs.filter((_, index) => !found[index]);
}

/** @param {readonly Need[]} missing */
async function findManager(missing) {
  if (await findCommand('apt-get')) return apt(missing);
  if (await findCommand('brew')) {
    return {
      kind: /** @type {const} */ ('brew'),
      name: 'brew',
      byHand: (packages) => `brew install ${packages.join(' ')}`,
      install: (packages) => capture('brew', ['install', ...packages]),
    };
  }
  const names = missing.map((need) => need.what).join(', ');
  throw new Trouble(`This system has neither apt-get nor brew. Install by hand, then try again: ${names}.`);
}

/** @param {readonly Need[]} missing */
async function apt(missing) {
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
