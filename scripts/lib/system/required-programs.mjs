import { access } from 'node:fs/promises';
import { runCaptured, findCommand } from '../command.mjs';

/**
 * A program or file that the system must have.
 *
 * @typedef {object} Need
 * @property {string} what the command, or its name for users
 * @property {string} why
 * @property {() => Promise<unknown>} find resolves to a truthy value if it is installed
 * @property {string} licence an SPDX expression, of the program as Debian builds it
 * @property {string[]} apt packages of Debian and Ubuntu
 * @property {string} [service] the system service of the Debian package, which must not start
 * @property {string[]} brew formulas; empty if brew has none, which is allowed for tests only
 * @property {boolean} [optional] the service works without it, so that a failed installation is only reported
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
export const PROGRAMS_FOR_SERVICE = [
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
  return (await runCaptured('perl', ['-MGetopt::Std', '-e', '1'])).code === 0;
}

/** @type {Need[]} */
export const PROGRAMS_FOR_TESTS = [
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
  {
    what: 'haproxy',
    why: 'is a proxy whose configuration is shipped',
    find: command('haproxy', ['/usr/sbin']),
    licence: 'GPL-2.0-or-later',
    apt: ['haproxy'],
    service: 'haproxy',
    brew: ['haproxy'],
  },
  {
    what: 'nginx',
    why: 'is a proxy whose configuration is shipped',
    find: command('nginx', ['/usr/sbin']),
    licence: 'BSD-2-Clause',
    apt: ['nginx-light'],
    service: 'nginx',
    brew: ['nginx'],
  },
  {
    what: 'haproxy',
    why: 'is the proxy that the operating guide describes',
    find: command('haproxy', ['/usr/sbin', '/usr/local/sbin']),
    licence: 'GPL-2.0-or-later',
    apt: ['haproxy'],
    service: 'haproxy',
    brew: ['haproxy'],
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
export const PROGRAMS_FOR_S3_TESTS = [
  ofCeph('radosgw', 'is the S3 server under test, and checks signatures as Amazon does', 'radosgw'),
  ofCeph('ceph-mon', 'is the monitor that radosgw asks', 'ceph-mon'),
  ofCeph('ceph-osd', 'holds the objects of radosgw, in memory', 'ceph-osd'),
  ofCeph('ceph-authtool', 'sets the three up', 'ceph-common'),
];

/** @type {Need[]} */
export const PROGRAMS_FOR_CONSOLE_TESTS = [
  {
    what: 'chromium',
    why: 'runs the pages of the console',
    find: command('chromium'),
    licence: 'BSD-3-Clause',
    apt: ['chromium'],
    brew: [],
  },
];
