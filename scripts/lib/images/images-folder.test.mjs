import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startScript } from '../start-script.mjs';

const LIB = new URL('..', import.meta.url).href;

let kept;
beforeEach(async () => (kept = await mkdtemp(join(tmpdir(), 'kept-images-'))));
afterEach(() => rm(kept, { recursive: true, force: true }));

/** Runs work with a folder of images in a process of its own. @param {string | undefined} folder to be kept @param {string} work */
function start(folder, work) {
  return startScript([
    '--input-type=module',
    '-e',
    `
    const { withImagesFolder } = await import('${LIB}images/images-folder.mjs');
    const { runStep } = await import('${LIB}images/run-step.mjs');
    const { runScript } = await import('${LIB}user-facing-error.mjs');
    await runScript(() => withImagesFolder(${JSON.stringify(folder)}, async (folder) => {
      console.log('folder=' + folder);
      ${work}
    }));`,
  ]);
}

/** Starts another program, as a build does, that ends by itself in hours. */
const STEP = `
  const program = 'sleep 10000 & echo $! > "$0/other.tmp"; mv "$0/other.tmp" "$0/other"; wait';
  const step = runStep('sh', ['-c', program, folder]);
  const { existsSync } = await import('node:fs');
  while (!existsSync(folder + '/other')) await new Promise((resolve) => setTimeout(resolve, 10));
  console.log('other is running');
  await step;`;
const readFolder = ({ stdout }) => /^folder=(.*)$/m.exec(stdout)?.[1] ?? '';

const isRunning = (pid) => {
  try {
    return !/^State:\sZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

describe.runIf(process.platform === 'linux')('the folder of images', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])('is deleted when a %s ends a build, with all programs of the build', async (signal, code) => {
    const script = start(undefined, STEP);
    await script.prints('other is running');
    const folder = readFolder(script.printed);
    const other = readFileSync(join(folder, 'other'), 'utf8').trim();
    expect(isRunning(other)).toBe(true);
    expect(await script.endWith(signal)).toMatchObject({ code, stderr: '' });
    await expect.poll(() => isRunning(other)).toBe(false);
    expect(existsSync(folder)).toBe(false);
  });

  it('is kept if it was given', async () => {
    const script = start(kept, STEP);
    await script.prints('other is running');
    expect(readFolder(script.printed)).toBe(kept);
    expect(await script.endWith('SIGTERM')).toMatchObject({ code: 143 });
    expect(existsSync(join(kept, 'other'))).toBe(true);
  });

  it('is deleted when the process exits during the work, as the runner of test suites does at a signal', async () => {
    const { code, stdout } = await start(undefined, 'process.exit(3);').ended;
    expect(code).toBe(3);
    expect(existsSync(readFolder({ stdout }))).toBe(false);
  });

  it('is deleted after the work, whose result is that of the script', async () => {
    const { code, stdout } = await start(undefined, 'return 4;').ended;
    expect(code).toBe(4);
    expect(readFolder({ stdout })).not.toBe('');
    expect(existsSync(readFolder({ stdout }))).toBe(false);
  });

  it('is deleted after a step that fails, and the end of its output is shown', async () => {
    const script = start(undefined, `await runStep('sh', ['-c', 'echo out; echo error >&2; exit 1']);`);
    const { code, stdout, stderr } = await script.ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^out\n\nerror\nsh -c .* failed\.\n$/);
    expect(existsSync(readFolder({ stdout }))).toBe(false);
  });

  it('is deleted after a step whose program is missing, which is said', async () => {
    const { code, stdout, stderr } = await start(undefined, `await runStep('no-program', ['build']);`).ended;
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: '\nspawn no-program ENOENT\nno-program build failed.\n',
    });
    expect(existsSync(readFolder({ stdout }))).toBe(false);
  });

  it('is deleted after a step that succeeds, whose output is returned', async () => {
    const work = `console.log('output=' + (await runStep('sh', ['-c', 'echo out; echo error >&2'])).trim()); return 0;`;
    const { code, stdout, stderr } = await start(undefined, work).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^output=out$/m);
    expect(existsSync(readFolder({ stdout }))).toBe(false);
  });
});
