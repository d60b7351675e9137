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

const commandFinder =
  (name, folders = []) =>
  () =>
    findCommand(name, folders);
const fileFinder =
  (...paths) =>
  () =>
    Promise.any(paths.map((path) => access(path).then(() => path))).catch(() => undefined);

/** @type {Need[]} */
export const PROGRAMS_FOR_SERVICE = [
  {
    what: 'ffmpeg',
    why: 'decodes audio',
    find: commandFinder('ffmpeg'),
    licence: 'GPL-2.0-or-later',
    apt: ['ffmpeg'],
    brew: ['ffmpeg'],
  },
  {
    what: 'pocketsphinx',
    why: 'recognises English speech offline',
    find: commandFinder('pocketsphinx_batch'),
    licence: 'BSD-2-Clause',
    apt: ['pocketsphinx'],
    brew: ['cmu-pocketsphinx'],
  },
  {
    what: 'the English model of pocketsphinx',
    why: 'is the acoustic and language model that pocketsphinx uses',
    find: fileFinder(
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
    why: 'derives the pronunciation of custom vocabulary',
    find: commandFinder('espeak-ng'),
    licence: 'GPL-3.0-or-later',
    apt: ['espeak-ng'],
    brew: ['espeak-ng'],
  },
  {
    what: 'flite',
    why: 'derives a second pronunciation of custom vocabulary, and speaks the test material',
    find: commandFinder('flite'),
    licence: 'MIT-Festival',
    apt: ['flite'],
    brew: ['flite'],
  },
  {
    what: 'bwrap',
    why: 'hides other files from media programs',
    find: async () => process.platform !== 'linux' || commandFinder('bwrap')(),
    licence: 'LGPL-2.0-or-later',
    apt: ['bubblewrap'],
    brew: [],
    optional: true,
  },
];

/** Base systems contain perl without its library. */
async function hasPerlLibrary() {
  return (await runCaptured('perl', ['-MGetopt::Std', '-e', '1'])).code === 0;
}

/** @type {Need[]} */
export const PROGRAMS_FOR_TESTS = [
  {
    what: 'curl',
    why: 'sends the requests of the documented examples',
    find: commandFinder('curl'),
    licence: 'curl',
    apt: ['curl'],
    brew: ['curl'],
  },
  {
    what: 'ps',
    why: 'lists processes that are still running',
    find: commandFinder('ps'),
    licence: 'GPL-2.0-or-later',
    apt: ['procps'],
    brew: [],
  },
  {
    what: 'sclite',
    why: 'counts word errors',
    find: commandFinder('sclite', ['/usr/lib/sctk/bin']),
    licence: 'NIST-PD',
    apt: ['sctk'],
    brew: [],
  },
  {
    what: 'the library of perl',
    why: 'counts speaker errors',
    find: hasPerlLibrary,
    licence: 'Artistic-1.0-Perl OR GPL-1.0-or-later',
    apt: ['perl'],
    brew: ['perl'],
  },
  {
    what: 'redis-server',
    why: 'is one of the two queues under test',
    find: commandFinder('redis-server'),
    licence: 'BSD-3-Clause',
    apt: ['redis-server'],
    service: 'redis-server',
    brew: ['redis'],
  },
  {
    what: 'haproxy',
    why: 'is a proxy whose configuration is shipped',
    find: commandFinder('haproxy', ['/usr/sbin', '/usr/local/sbin']),
    licence: 'GPL-2.0-or-later',
    apt: ['haproxy'],
    service: 'haproxy',
    brew: ['haproxy'],
  },
  {
    what: 'nginx',
    why: 'is a proxy whose configuration is shipped',
    find: commandFinder('nginx', ['/usr/sbin']),
    licence: 'BSD-2-Clause',
    apt: ['nginx-light'],
    service: 'nginx',
    brew: ['nginx'],
  },
  {
    what: 'promtool',
    why: 'checks the alert rules and the documented configuration of Prometheus',
    find: commandFinder('promtool'),
    licence: 'Apache-2.0',
    apt: ['prometheus'],
    service: 'prometheus',
    brew: ['prometheus'],
  },
  {
    what: 'openssl',
    why: 'creates the secrets of the documented commands',
    find: commandFinder('openssl'),
    licence: 'Apache-2.0',
    apt: ['openssl'],
    brew: ['openssl'],
  },
  {
    what: 'git',
    why: 'makes the checkouts of which an image is built',
    find: commandFinder('git'),
    licence: 'GPL-2.0-only',
    apt: ['git'],
    brew: ['git'],
  },
  {
    what: 'python3',
    why: 'runs the samples in Python',
    find: commandFinder('python3'),
    licence: 'Python-2.0',
    apt: ['python3'],
    brew: ['python'],
  },
  {
    what: 'script',
    why: 'runs commands and shells at a terminal of their own',
    find: commandFinder('script'),
    licence: 'BSD-4-Clause-UC',
    apt: ['bsdutils'],
    brew: [],
  },
];

/** One program of each package. The test starts its own processes, not the services of Ceph. */
const cephProgram = (program, why, packageName) => ({
  what: program,
  why,
  find: commandFinder(program),
  licence: 'LGPL-2.1-only OR LGPL-3.0-only',
  apt: [packageName],
  brew: [],
  service: 'ceph.target',
});

/** @type {Need[]} */
export const PROGRAMS_FOR_S3_TESTS = [
  cephProgram('radosgw', 'is the S3 server under test, and checks signatures as Amazon does', 'radosgw'),
  cephProgram('ceph-mon', 'is the monitor that radosgw requires', 'ceph-mon'),
  cephProgram('ceph-osd', 'stores the objects of radosgw in memory', 'ceph-osd'),
  cephProgram('ceph-authtool', 'creates the keys of the Ceph programs', 'ceph-common'),
];

/** Of Linux only. The tests that use them need root. @type {Need[]} */
export const PROGRAMS_FOR_HOST_TESTS = [
  {
    what: 'ip',
    why: 'makes the hosts of a test network',
    find: commandFinder('ip', ['/usr/sbin', '/sbin']),
    licence: 'GPL-2.0-or-later',
    apt: ['iproute2'],
    brew: [],
  },
  {
    what: 'nft',
    why: 'drops packets between hosts of a test network',
    find: commandFinder('nft', ['/usr/sbin', '/sbin']),
    licence: 'GPL-2.0-only',
    apt: ['nftables'],
    service: 'nftables',
    brew: [],
  },
];

/** @type {Need[]} */
export const PROGRAMS_FOR_CONTAINER_TESTS = [
  ['buildah', 'builds the image', 'Apache-2.0'],
  ['podman', 'runs the image', 'Apache-2.0'],
  ['runc', 'is the runtime of podman', 'Apache-2.0'],
  ['mmdebstrap', 'makes the base of the image from Debian packages', 'MIT'],
  ['dockerd', 'runs the Compose files', 'Apache-2.0', 'docker.io'],
  ['containerd', 'runs the containers of dockerd', 'Apache-2.0'],
  ['docker-compose', 'reads the Compose files', 'Apache-2.0'],
  ['ip', 'opens the loopback device of a network namespace', 'GPL-2.0-or-later', 'iproute2'],
  ['openssl', 'creates the secrets of the documented commands', 'Apache-2.0'],
].map(([what = '', why = '', licence = '', packageName = what]) => ({
  what,
  why,
  find: commandFinder(what, ['/usr/sbin']),
  licence,
  apt: [packageName],
  brew: [],
  // The test starts its own daemons.
  service: packageName === 'docker.io' ? 'docker' : packageName === 'containerd' ? 'containerd' : undefined,
}));

/** @type {Need[]} */
export const PROGRAMS_FOR_CONSOLE_TESTS = [
  {
    what: 'chromium',
    why: 'runs the pages of the console',
    find: commandFinder('chromium'),
    licence: 'BSD-3-Clause',
    apt: ['chromium'],
    brew: [],
  },
];

/** The shells that have completions, and what reads the manual page. @type {Need[]} */
export const PROGRAMS_FOR_CLIENT_TESTS = [
  ['zsh', 'completes commands of zephyr', 'MIT-Modern-Variant'],
  ['fish', 'completes commands of zephyr', 'GPL-2.0-only'],
  ['mandoc', 'checks the manual page of zephyr', 'ISC'],
  ['groff', 'checks the manual page of zephyr', 'GPL-3.0-or-later', 'groff-base'],
].map(([what = '', why = '', licence = '', packageName = what]) => ({
  ...{ what, why, licence },
  find: commandFinder(what),
  apt: [packageName],
  brew: [what],
}));
