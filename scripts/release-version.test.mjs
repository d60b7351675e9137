import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCaptured } from './lib/command.mjs';
import { VERSIONED_FILES } from './lib/release/versions.mjs';
import { ROOT } from './lib/root.mjs';
import { startScript } from './lib/start-script.mjs';

const PROGRAM = 'dist/apps/api/src/main.js';
const LOCK = JSON.stringify({ version: '0.1.0', packages: { '': { version: '0.1.0' } } });
const FILES = {
  'package.json': '{"type":"module","version":"0.1.0"}',
  'package-lock.json': LOCK,
  'node_modules/.package-lock.json': LOCK,
  'CHANGELOG.md': '# C\n\n## Unreleased\n\n- new\n',
  ...Object.fromEntries(VERSIONED_FILES.map((path) => [path, '0.1.0'])),
  // In place of the one that needs packages and the build.
  'scripts/docs.mjs': '',
  [PROGRAM]: `console.log('running'); setInterval(() => undefined, 1_000);`,
};

let checkout;
beforeEach(async () => {
  checkout = await mkdtemp(join(tmpdir(), 'release-version-'));
  for (const path of ['scripts/lib', 'scripts/release-version.mjs'])
    await cp(join(ROOT, path), join(checkout, path), { recursive: true });
  for (const [path, content] of Object.entries(FILES)) {
    await mkdir(dirname(join(checkout, path)), { recursive: true });
    await writeFile(join(checkout, path), content);
  }
  await git('init', '--quiet');
  await git('config', 'user.name', 'somebody');
  await git('config', 'user.email', 'somebody@example.com');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'a checkout');
});
afterEach(() => rm(checkout, { recursive: true, force: true }));

async function git(...parameters) {
  const { code, output } = await runCaptured('git', parameters, { cwd: checkout });
  expect(code, output).toBe(0);
  return output;
}

const release = (version) => startScript([join(checkout, 'scripts/release-version.mjs'), version]).ended;

it('a release is a commit and a tag with its version', async () => {
  expect(await release('0.2.0')).toMatchObject({ code: 0 });
  expect(JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8')).version).toBe('0.2.0');
  expect(await git('status', '--porcelain')).toBe('');
  expect(await git('log', '--max-count', '1', '--format=%s')).toBe('chore(release): 0.2.0\n');
  expect(await git('tag', '--list')).toBe('v0.2.0\n');
});

it.runIf(process.platform === 'linux')(
  'a release changes nothing while programs run from the checkout, and names their process',
  async () => {
    const program = startScript([join(checkout, PROGRAM)]);
    try {
      await program.prints('running');
      expect(await release('0.2.0')).toMatchObject({
        code: 1,
        stderr: `Programs run from this checkout (process ${program.pid}), and this command would replace their build: stop them first.\n`,
      });
      expect(await git('status', '--porcelain')).toBe('');
      expect(await git('tag', '--list')).toBe('');
    } finally {
      await program.endWith('SIGKILL');
    }
  },
);
