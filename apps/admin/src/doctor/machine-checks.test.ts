import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@app/config';
import { detectSandboxCapabilities } from '@app/speech';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { machineChecks, mediaProgram } from './machine-checks.js';

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'doctor-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the machine', () => {
  it('has room and a data folder, also before the first start', async () => {
    const dataDir = join(folder, 'not', 'there');
    const findings = await Promise.all(machineChecks(loadConfig({ DATA_DIR: dataDir })));
    const byName = new Map(findings.map((finding) => [finding.name, finding]));
    expect(byName.get('data folder')).toMatchObject({ status: 'ok', detail: dataDir });
    expect(byName.get('disk')).toMatchObject({ detail: expect.stringMatching(/^\d+\.\d GiB free$/) });
    expect(byName.get('node')).toMatchObject({ status: 'ok' });
  });

  it('has a folder to work in: made where it is wanted, writable, with room for the largest file', async () => {
    const workFolder = async (env: Record<string, string>) => {
      const config = loadConfig({ DATA_DIR: folder, ...env });
      const findings = await Promise.all(machineChecks(config));
      return findings.find(({ name }) => name === 'work folder');
    };
    const own = { MAX_MULTIPART_BYTES: '1' };
    const path = join(folder, 'work');
    expect(await workFolder(own)).toMatchObject({
      status: 'ok',
      detail: expect.stringMatching(/ free$/),
    });
    expect(await readdir(path)).toEqual([]);
    expect(await workFolder({ MAX_MULTIPART_BYTES: '900000GiB' })).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining('files of up to 900000.0 GiB are accepted'),
    });
    await writeFile(join(folder, 'file'), '');
    expect(await workFolder({ ...own, WORK_DIR: join(folder, 'file', 'work') })).toMatchObject({
      status: 'problem',
      advice: expect.stringContaining('WORK_DIR'),
    });
    if (existsSync('/dev/shm'))
      expect(await workFolder({ ...own, WORK_DIR: '/dev/shm' })).toMatchObject({
        status: 'warning',
        detail: expect.stringContaining('in memory'),
      });
  });

  it('does not take a data folder that cannot be used for a full disk', async () => {
    await writeFile(join(folder, 'file'), '');
    const config = loadConfig({ DATA_DIR: join(folder, 'file', 'data') });
    const findings = await Promise.all(machineChecks(config));
    expect(findings.find(({ name }) => name === 'disk')).toMatchObject({
      status: 'problem',
      advice: expect.stringContaining('see `data folder`'),
    });
  });

  it('says once how to install a media program that is missing', async () => {
    const tool = { name: join(folder, 'ffmpeg'), install: 'Install it.' };
    expect(await mediaProgram(tool)).toEqual({
      ...{ name: tool.name, status: 'problem', detail: 'not installed', advice: 'Install it.' },
    });
  });

  it('tells which protections of media programs are active, and which are not', async () => {
    const findings = await Promise.all(machineChecks(loadConfig({ DATA_DIR: folder })));
    const cage = findings.find(({ name }) => name === 'sandbox');
    const [active = '', missing = ''] = (cage?.detail ?? '').split('not active');
    const { ownFilesOnly, ...others } = await detectSandboxCapabilities();
    expect(active.includes('own files only')).toBe(ownFilesOnly);
    expect(missing.includes('own files only')).toBe(!ownFilesOnly);
    expect(cage?.status).toBe(ownFilesOnly && Object.values(others).every(Boolean) ? 'ok' : 'warning');
  });
});
