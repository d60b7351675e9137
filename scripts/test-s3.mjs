/**
 * `npm run test:s3`: the store contract and the service against a real S3 server (radosgw, private, in memory).
 *
 * Installs that server when it is missing: about 700 MB of Debian packages, once. Parameters go to vitest.
 */
import { findCommand } from './lib/command.mjs';
import { prepare } from './lib/prepare.mjs';
import { runRings } from './lib/rings.mjs';
import { ensureSystem } from './lib/system.mjs';
import { runScript } from './lib/trouble.mjs';

const LIMIT_MS = 10 * 60_000;

/** One program of each package. Ceph's own services are none of ours: the test starts what it needs. */
const need = (program, why, packageName) => ({
  what: program,
  why,
  find: () => findCommand(program),
  apt: [packageName],
  brew: [],
  service: 'ceph.target',
});

const S3_SERVER = [
  need('radosgw', 'is the S3 server under test, and checks signatures as Amazon does', 'radosgw'),
  need('ceph-mon', 'is the monitor that radosgw asks', 'ceph-mon'),
  need('ceph-osd', 'holds the objects of radosgw, in memory', 'ceph-osd'),
  need('ceph-authtool', 'sets the three up', 'ceph-common'),
];

await runScript(async () => {
  await prepare({ tests: true });
  await ensureSystem(S3_SERVER);
  return runRings(['s3'], { parameters: process.argv.slice(2), limitMs: LIMIT_MS });
});
