import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '@app/config';
import { toolProtection } from '@app/speech';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { machineChecks } from './machine-checks.js';

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'doctor-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the machine', () => {
  it('has room and a data folder, also before the first start', async () => {
    const dataDir = join(folder, 'not', 'there');
    const findings = await Promise.all(machineChecks({ service: { dataDir } } as Config));
    const byName = new Map(findings.map((finding) => [finding.name, finding]));
    expect(byName.get('data folder')).toMatchObject({ status: 'ok', detail: dataDir });
    expect(byName.get('disk')).toMatchObject({ detail: expect.stringMatching(/^\d+\.\d GiB free$/) });
    expect(byName.get('node')).toMatchObject({ status: 'ok' });
  });

  it('tells which protections of media programs are active, and which are not', async () => {
    const findings = await Promise.all(machineChecks({ service: { dataDir: folder } } as Config));
    const cage = findings.find(({ name }) => name === 'media cage');
    const [active = '', missing = ''] = (cage?.detail ?? '').split('not active');
    const { ownFilesOnly, ...others } = await toolProtection();
    expect(active.includes('own files only')).toBe(ownFilesOnly);
    expect(missing.includes('own files only')).toBe(!ownFilesOnly);
    expect(cage?.status).toBe(ownFilesOnly && Object.values(others).every(Boolean) ? 'ok' : 'warning');
  });
});
