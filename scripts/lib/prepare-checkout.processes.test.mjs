import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from './root.mjs';
import { startScript } from './start-script.mjs';

const LOCK_MODULE = 'libs/database/src/embedded/supervisor/process-lock.mjs';
const BUILT = 'dist/apps/api/src/main.js';
const FILES = {
  'package.json': '{"type":"module"}',
  'package-lock.json': '{"packages":{}}',
  'node_modules/.package-lock.json': '{"packages":{}}',
  // Of older sources.
  'dist/.built-from': 'other sources',
  [BUILT]: `console.log('running'); setInterval(() => undefined, 1_000);`,
  'dist/apps/admin/src/main.js': '',
};
const NOTHING = 'async () => 0';

let checkout;
let started;
beforeEach(async () => {
  started = [];
  checkout = await mkdtemp(join(tmpdir(), 'checkout-'));
  for (const path of ['scripts/lib', LOCK_MODULE])
    await cp(join(ROOT, path), join(checkout, path), { recursive: true });
  for (const [path, content] of Object.entries(FILES)) await write(path, content);
});
afterEach(async () => {
  await Promise.all(started.map((script) => script.endWith('SIGKILL')));
  await rm(checkout, { recursive: true, force: true });
});

async function write(path, content) {
  await mkdir(dirname(join(checkout, path)), { recursive: true });
  await writeFile(join(checkout, path), content);
}

function start(...parameters) {
  const script = startScript(...parameters);
  started.push(script);
  return script;
}

/**
 * Prepares the checkout in a process of its own.
 *
 * @param {object} options @param {string} work the source of a function @param {string} programs the source of an array
 */
function prepare(options, work = NOTHING, programs = '[]') {
  return start([
    '--input-type=module',
    '-e',
    `
    const { prepareCheckout } = await import(${JSON.stringify(join(checkout, 'scripts/lib/prepare-checkout.mjs'))});
    const { runScript } = await import(${JSON.stringify(join(checkout, 'scripts/lib/user-facing-error.mjs'))});
    const options = { ...${JSON.stringify({ system: false, ...options })}, programs: ${programs} };
    await runScript(() => prepareCheckout(options, ${work}));`,
  ]);
}

describe.runIf(process.platform === 'linux')('a checkout from which programs run', () => {
  let program;
  beforeEach(async () => {
    program = start([join(checkout, BUILT)]);
    await program.prints('running');
  });

  it.each([
    ['is not built again', {}, 'their build may not be of the current sources'],
    [
      'is not built by a command that builds in any case',
      { rebuild: true },
      'this command would replace their build',
    ],
    [
      'is not built by the work of a command',
      { build: false, rebuild: true },
      'this command would replace their build',
    ],
  ])('%s: the command names the process', async (_, options, reason) => {
    const { code, stderr } = await prepare(options).ended;
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `Programs run from this checkout (process ${program.pid}), and ${reason}: stop them first.\n`,
    });
    expect(await readFile(join(checkout, BUILT), 'utf8')).toBe(FILES[BUILT]);
  });

  it('gets no other packages', async () => {
    await write('package-lock.json', '{"packages":{"node_modules/a":{"version":"1.0.0"}}}');
    const { code, stderr } = await prepare({ build: false }).ended;
    expect(code).toBe(1);
    expect(stderr).toContain(`(process ${program.pid}), and package-lock.json has changed: stop them first.`);
  });

  it('stays as it is for a command that changes nothing of it', async () => {
    expect(await prepare({ build: false }).ended).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('the work of a command', () => {
  const WAIT = `console.log('working'); await new Promise((resolve) => setTimeout(resolve, 2 ** 30));`;

  it('ends before another command prepares the checkout', async () => {
    const first = prepare({ build: false }, `async () => { ${WAIT} }`);
    await first.prints('working');
    const second = prepare({ build: false }, `async () => { console.log('second'); return 0; }`);
    await second.prints('Another command is preparing this checkout; waiting for it ...');
    await first.endWith('SIGKILL');
    expect(await second.ended).toMatchObject({ code: 0, stdout: 'second\n' });
  });

  it('ends before another command looks for the programs that it installs', async () => {
    const first = prepare({ build: false }, `async () => { ${WAIT} }`);
    await first.prints('working');
    const program = `{ find: async () => { console.log('looking'); return true; } }`;
    const second = prepare({ build: false }, NOTHING, `[${program}]`);
    await second.prints('Another command is preparing this checkout; waiting for it ...');
    expect(second.printed.stdout).toBe('');
    await first.endWith('SIGKILL');
    expect(await second.ended).toMatchObject({ code: 0, stdout: 'looking\n' });
  });

  it('can let other commands prepare the checkout before it ends', async () => {
    const first = prepare({ build: false }, `async (unlock) => { await unlock(); ${WAIT} }`);
    await first.prints('working');
    expect(await prepare({ build: false }).ended).toMatchObject({ code: 0, stderr: '' });
  });

  it.runIf(process.platform === 'linux')(
    'may start programs, whose build is used by a start command that waited',
    async () => {
      const first = prepare({ build: false }, `async () => { ${WAIT} }`);
      await first.prints('working');
      const second = prepare({ forRun: true }, `async () => { console.log('second'); return 0; }`);
      await second.prints('Another command is preparing this checkout; waiting for it ...');
      const program = start([join(checkout, BUILT)]);
      await program.prints('running');
      await first.endWith('SIGKILL');
      const { code, stdout, stderr } = await second.ended;
      expect({ code, stdout }).toEqual({ code: 0, stdout: 'second\n' });
      expect(stderr).toContain(
        `Using the existing build, which may not be of the current sources: programs run from it (process ${program.pid})`,
      );
      expect(await readFile(join(checkout, BUILT), 'utf8')).toBe(FILES[BUILT]);
    },
  );
});
