import fs, { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@app/config';
import { detectSandboxProtections } from '@app/speech';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { runMachineChecks, checkToolInstalled } from './machine-checks.js';

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'doctor-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('runMachineChecks', () => {
  it('reports disk space and a usable data folder before the first start', async () => {
    const dataDir = join(folder, 'not', 'there');
    const findings = await Promise.all(runMachineChecks(loadConfig({ DATA_DIR: dataDir })));
    const byName = new Map(findings.map((finding) => [finding.name, finding]));
    expect(byName.get('data folder')).toMatchObject({ status: 'ok', detail: dataDir });
    expect(byName.get('disk')).toMatchObject({ detail: expect.stringMatching(/^\d+\.\d GiB free$/) });
    expect(byName.get('node')).toMatchObject({ status: 'ok' });
  });

  it('warns of an embedded database that a copy of the data folder would not contain', async () => {
    const dataFolder = async (env: Record<string, string>) => {
      const findings = await Promise.all(runMachineChecks(loadConfig({ DATA_DIR: folder, ...env })));
      return findings.find(({ name }) => name === 'data folder');
    };
    await mkdir(join(folder, 'postgres'));
    expect(await dataFolder({})).toMatchObject({ status: 'ok' });
    await writeFile(join(folder, 'postgres', 'location'), '/var/lib/zephyr/clusters/0193/cluster');
    expect(await dataFolder({})).toMatchObject({
      status: 'warning',
      detail: `${folder}; the database is outside of it, in /var/lib/zephyr/clusters/0193`,
      advice: expect.stringContaining('does not contain the database'),
    });
    expect(await dataFolder({ DATABASE_URL: 'postgres://db.internal/zephyr' })).toMatchObject({
      status: 'ok',
    });
  });

  it('checks that the work folder exists, is writable and has room for the largest file', async () => {
    const workFolder = async (env: Record<string, string>) => {
      const config = loadConfig({ DATA_DIR: folder, ...env });
      const findings = await Promise.all(runMachineChecks(config));
      return findings.find(({ name }) => name === 'work folder');
    };
    const settings = { MAX_MULTIPART_BYTES: '1' };
    const path = join(folder, 'work');
    expect(await workFolder(settings)).toMatchObject({
      status: 'ok',
      detail: expect.stringMatching(/ free$/),
    });
    expect(await readdir(path)).toEqual([]);
    expect(await workFolder({ MAX_MULTIPART_BYTES: '900000GiB' })).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining('files of up to 900000.0 GiB are accepted'),
    });
    await writeFile(join(folder, 'file'), '');
    expect(await workFolder({ ...settings, WORK_DIR: join(folder, 'file', 'work') })).toMatchObject({
      status: 'problem',
      advice: expect.stringContaining('WORK_DIR'),
    });
    if (existsSync('/dev/shm'))
      expect(await workFolder({ ...settings, WORK_DIR: '/dev/shm' })).toMatchObject({
        status: 'warning',
        detail: expect.stringContaining('in memory'),
      });
  });

  it('names the paths that a unit may write for a folder on a file system that is mounted read-only', async () => {
    const readOnly = '/proc/zephyr';
    vi.spyOn(fs.promises, 'mkdir').mockRejectedValue(
      Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' }),
    );
    syncBuiltinESMExports();
    onTestFinished(() => {
      vi.restoreAllMocks();
      syncBuiltinESMExports();
    });
    const findings = await Promise.all(runMachineChecks(loadConfig({ DATA_DIR: readOnly })));
    for (const name of ['data folder', 'work folder'])
      expect(findings.find((finding) => finding.name === name)).toMatchObject({
        status: 'problem',
        advice: expect.stringContaining(`ReadWritePaths=${readOnly}`),
      });
  });

  it('does not report a full disk when the data folder cannot be used', async () => {
    await writeFile(join(folder, 'file'), '');
    const config = loadConfig({ DATA_DIR: join(folder, 'file', 'data') });
    const findings = await Promise.all(runMachineChecks(config));
    expect(findings.find(({ name }) => name === 'disk')).toMatchObject({
      status: 'problem',
      advice: expect.stringContaining('see `data folder`'),
    });
  });

  it('says once how to install a missing media program', async () => {
    const tool = { name: join(folder, 'ffmpeg'), install: 'Install it.' };
    expect(await checkToolInstalled(tool)).toEqual({
      ...{ name: tool.name, status: 'problem', detail: 'not installed', advice: 'Install it.' },
    });
  });

  it('lists the active and the missing sandbox protections', async () => {
    const findings = await Promise.all(runMachineChecks(loadConfig({ DATA_DIR: folder })));
    const sandbox = findings.find(({ name }) => name === 'sandbox');
    const [active = '', missing = ''] = (sandbox?.detail ?? '').split('not active');
    const { ownFilesOnly, ...others } = await detectSandboxProtections();
    expect(active.includes('own files only')).toBe(ownFilesOnly);
    expect(missing.includes('own files only')).toBe(!ownFilesOnly);
    expect(sandbox?.status).toBe(ownFilesOnly && Object.values(others).every(Boolean) ? 'ok' : 'warning');
  });
});
