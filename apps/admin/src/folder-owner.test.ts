import { chown, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@app/config';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  assertRootMayWrite,
  assertRootMayWriteServiceData,
  warnIfRootMayNotWriteServiceData,
} from './folder-owner.js';
import { LazyAdminServices } from './lazy-admin-services.js';
import { PullModelsCommand } from './models/pull-models.command.js';

const NUMBER_WITHOUT_NAME = 54_321;
const IS_ROOT = process.getuid?.() === 0;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'folder-owner-'));
  // A test that root does not run has a folder of another user already.
  if (IS_ROOT) await chown(folder, NUMBER_WITHOUT_NAME, NUMBER_WITHOUT_NAME);
  vi.spyOn(process, 'getuid').mockReturnValue(0);
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

const readOwner = async () => (await stat(folder)).uid;

describe('root', () => {
  it('does not write to a folder of another user, and is told as whom to run the command', async () => {
    const uid = IS_ROOT ? String(await readOwner()) : '\\S+';
    const remedy = new RegExp(
      `run it as user .*, with the same settings \\((setpriv --reuid|runuser -u)[= ]${uid} `,
    );
    await expect(assertRootMayWrite(folder)).rejects.toThrow(remedy);
    // It drops the settings.
    await expect(assertRootMayWrite(folder)).rejects.not.toThrow('sudo');
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    await warnIfRootMayNotWriteServiceData(loadConfig({ DATA_DIR: folder }));
    expect(String(write.mock.calls[0]?.[0])).toMatch(/^Warning: .* run it as user .*\n$/);
  });

  it('opens a service that has database, store and secret elsewhere, and none that has one of them there', async () => {
    const elsewhere = {
      DATABASE_URL: 'postgres://zephyr@127.0.0.1:1/zephyr',
      S3_BUCKET: 'audio',
      SERVICE_SECRET: 'a'.repeat(64),
    };
    const assert = (env: NodeJS.ProcessEnv) =>
      assertRootMayWriteServiceData(loadConfig({ DATA_DIR: folder, ...env }));
    await expect(assert(elsewhere)).resolves.toBeUndefined();
    for (const name of Object.keys(elsewhere))
      await expect(assert({ ...elsewhere, [name]: undefined })).rejects.toThrow('run it as user');
  });

  it.runIf(IS_ROOT)('may write where it runs processors itself', async () => {
    await mkdir(join(folder, 'work'));
    await expect(assertRootMayWrite(folder)).resolves.toBeUndefined();
  });

  it.runIf(IS_ROOT)('may write to its own folder, and where it runs the service itself', async () => {
    await mkdir(join(folder, 'postgres'));
    await expect(assertRootMayWrite(folder)).resolves.toBeUndefined();
    await rm(join(folder, 'postgres'), { recursive: true });
    await chown(folder, 0, 0);
    await expect(assertRootMayWrite(folder)).resolves.toBeUndefined();
    await expect(assertRootMayWrite(join(folder, 'absent'))).resolves.toBeUndefined();
  });

  it('opens no database for a command that may write, and writes no model', async () => {
    vi.stubEnv('DATA_DIR', folder);
    vi.stubEnv('DATABASE_URL', 'postgres://zephyr@127.0.0.1:1/zephyr');
    const running: Promise<unknown>[] = [
      new LazyAdminServices().open(),
      new LazyAdminServices().openOrCreate(),
      new LazyAdminServices().openToMigrate(),
      new PullModelsCommand(new LazyAdminServices()).run(['any'], {}),
    ];
    vi.stubEnv('MODELS_DIR', folder);
    vi.stubEnv('DATA_DIR', join(folder, 'absent'));
    running.push(new PullModelsCommand(new LazyAdminServices()).run(['any'], {}));
    for (const each of await Promise.allSettled(running))
      expect(each).toMatchObject({ reason: { message: expect.stringContaining('run it as user') } });
  });
});

describe('another user', () => {
  it('is not asked for a name', async () => {
    vi.mocked(process.getuid ?? expect.unreachable()).mockReturnValue(1_000);
    await writeFile(join(folder, 'file'), '');
    await expect(assertRootMayWrite(folder)).resolves.toBeUndefined();
  });
});
