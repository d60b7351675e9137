import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '../support/child-process.js';
import { CTRL_C } from '../support/started-program.js';
import { type ProgramResult, runProgram } from './support/program.js';
import { StallingMirror } from './support/stalling-mirror.js';
import { HAS_TERMINALS, startProgramAtTerminal } from './support/terminal.js';
import { until } from './support/until.js';

const VAD_BYTES = 643_854;
const [CURSOR_HIDDEN, CURSOR_SHOWN] = ['\u001B[?25l', '\u001B[?25h'];

let root: string;
let folder: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'e2e-models-'));
  folder = join(root, 'models');
});
afterAll(() => rm(root, { recursive: true }));

const runModels = (args: string[], env: Record<string, string> = {}): Promise<ProgramResult> =>
  runProgram('admin', ['models', ...args], { MODELS_DIR: folder, ...env });

/** Installs a model by hand, as an operator may. */
async function installOwnModel(content: string): Promise<void> {
  const sha256 = createHash('sha256').update('weights').digest('hex');
  const files = [{ role: 'model', path: 'model.onnx', bytes: 7, sha256 }];
  const about = { kind: 'recognizer', family: 'sense-voice', languages: ['en'], licence: 'own' };
  await mkdir(join(folder, 'own-model'), { recursive: true });
  await writeFile(
    join(folder, 'own-model', 'model.json'),
    JSON.stringify({ name: 'own-model', ...about, files }),
  );
  await writeFile(join(folder, 'own-model', 'model.onnx'), content);
}

describe('operator commands: models', () => {
  it('models list shows available and installed models', async () => {
    await installOwnModel('weights');
    const { code, stdout } = await runModels(['list', '--json']);
    expect(code).toBe(0);
    const listed = JSON.parse(stdout) as { name: string; state: string; licence: string | null }[];
    expect(listed).toContainEqual(
      expect.objectContaining({ name: 'whisper-tiny.en', state: 'available', licence: 'MIT' }),
    );
    expect(listed).toContainEqual(expect.objectContaining({ name: 'own-model', state: 'installed' }));
  });

  it('models pull reports a missing network at once and explains how to install files by hand', async () => {
    const mirror = `http://127.0.0.1:${await findFreePort()}`;
    const { code, stdout, stderr } = await runModels(['pull', 'silero-vad'], { MODELS_MIRROR: mirror });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`Nothing answers at ${mirror} (ECONNREFUSED).`);
    expect(stderr).toMatch(/silero_vad\.onnx \(644 kB\)\n.*models pull silero-vad --from FOLDER\n$/);
  });

  it.skipIf(!HAS_TERMINALS)(
    'models pull shows a progress bar, ends on Ctrl-C, and resumes at the next call',
    async () => {
      const sentBytes = Math.round(VAD_BYTES / 4);
      const mirror = await StallingMirror.start({ totalBytes: VAD_BYTES, sentBytes });
      onTestFinished(() => mirror.stop());
      const parameters = ['models', 'pull', 'silero-vad', '--mirror', mirror.url];
      const { child, output, ended } = startProgramAtTerminal('admin', parameters, { MODELS_DIR: folder });
      onTestFinished(() => void child.kill('SIGHUP'));
      await until('a quarter is shown', () => /silero_vad\.onnx [^\r\n]+ 25% of 644 kB/.test(output()));
      expect(output()).toContain(CURSOR_HIDDEN);

      child.stdin.write(CTRL_C);
      expect(await ended).toBe(1);
      expect(output().slice(output().lastIndexOf(CURSOR_SHOWN))).toMatch(
        /\r\nInterrupted; the next pull resumes from here\.\r\n$/,
      );
      expect(await readdir(folder)).not.toContain('.silero-vad.lock');

      const next = await runModels(['pull', 'silero-vad'], { MODELS_MIRROR: mirror.url });
      expect(next).toMatchObject({ code: 1, stderr: expect.stringContaining('answers HTTP 404.') });
      expect(mirror.ranges).toEqual([undefined, `bytes=${sentBytes}-`]);
    },
  );

  it('models pull --from rejects files with other checksums and installs nothing', async () => {
    const importFolder = join(root, 'brought');
    await mkdir(importFolder);
    await writeFile(join(importFolder, 'silero_vad.onnx'), Buffer.alloc(VAD_BYTES));
    const { code, stderr } = await runModels(['pull', 'silero-vad', '--from', importFolder]);
    expect([code, stderr]).toEqual([
      1,
      'silero_vad.onnx is not the file of the catalogue: its checksum is another. Nothing was installed.\n',
    ]);
    expect(await readdir(folder)).not.toContain('silero-vad');
  });

  it('models verify detects a changed byte', async () => {
    expect(await runModels(['verify'])).toMatchObject({ code: 0, stdout: 'own-model is whole.\n' });
    await installOwnModel('wEights');
    const { code, stdout } = await runModels(['verify', 'own-model', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual([
      { name: 'own-model', problem: expect.stringContaining('model.onnx') },
    ]);
  });

  it('models remove rejects the configured model unless forced', async () => {
    const set = { ENGINE: 'sherpa', SHERPA_MODEL: 'own-model' };
    const rejected = await runModels(['remove', 'own-model'], set);
    expect(rejected).toMatchObject({ code: 1, stderr: expect.stringContaining('--force') });
    const removed = await runModels(['remove', 'own-model', '--force', '--json'], set);
    expect(JSON.parse(removed.stdout)).toEqual({ name: 'own-model', removed: true });
    expect(await readdir(folder)).not.toContain('own-model');
  });
});
