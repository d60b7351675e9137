import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@app/config';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '../log/logger.js';
import { prepareDatabaseAndCreateBootContext } from './boot.js';
import { toDataDirError } from './data-dir-error.js';
import { ServiceSecretFile } from './service-secret-file.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-secret-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('a DATA_DIR in which no service secret can be created', () => {
  it.each([
    ['a file', ''],
    ['below a file', '/data'],
  ])('that is %s causes an error that names it and the remedy', async (_, below) => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const dataDir = file + below;
    await expect(new ServiceSecretFile(dataDir).readOrCreate()).rejects.toThrow(
      `DATA_DIR ${dataDir} is not a folder: set it to a folder that this program can write.`,
    );
    await expect(new ServiceSecretFile(dataDir).exists()).rejects.toThrow(
      `DATA_DIR ${dataDir} is not a folder`,
    );
  });
});

describe('file system errors in DATA_DIR', () => {
  it.each([
    ['EACCES', 'cannot be read and written by the user of this program: run it as the user of the service'],
    ['ENOSPC', 'is on a full disk: free some space there'],
  ])('%s is reported with a remedy', (code, text) => {
    const error = toDataDirError('/data', Object.assign(new Error(code), { code }));
    expect((error as Error).message).toContain(`DATA_DIR /data ${text}`);
  });

  it('are also reported when the embedded Postgres cannot be created', async () => {
    const dataDir = join(folder, 'file');
    await writeFile(dataDir, '');
    const config = loadConfig({ DATA_DIR: dataDir, SERVICE_SECRET: 's'.repeat(32) });
    const logger = createLogger({ level: 'silent', pretty: false, program: 'admin' });
    await expect(prepareDatabaseAndCreateBootContext({ program: 'admin', config, logger })).rejects.toThrow(
      `DATA_DIR ${dataDir} is not a folder`,
    );
  });
});
