import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '@app/config';
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
});
