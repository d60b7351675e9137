import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@app/config';
import { toolProtection } from '@app/speech';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { machineChecks } from './machine-checks.js';

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
      detail: expect.stringContaining('files of up to 900000.0 GiB are taken'),
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

  it('tells which protections of media programs are active, and which are not', async () => {
    const findings = await Promise.all(machineChecks(loadConfig({ DATA_DIR: folder })));
    const cage = findings.find(({ name }) => name === 'media cage');
    const [active = '', missing = ''] = (cage?.detail ?? '').split('not active');
    const { ownFilesOnly, ...others } = await toolProtection();
    expect(active.includes('own files only')).toBe(ownFilesOnly);
    expect(missing.includes('own files only')).toBe(!ownFilesOnly);
    expect(cage?.status).toBe(ownFilesOnly && Object.values(others).every(Boolean) ? 'ok' : 'warning');
  });
});
