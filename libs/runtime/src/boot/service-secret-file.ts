import { randomBytes } from 'node:crypto';
import { access, chmod, chown, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fsyncDirectory } from '@app/storage';
import { toDataDirError, createDataDir } from './data-dir-error.js';

/** The first secret signs and encrypts, all verify and decrypt. */
export type ServiceSecretWithFallbacks = readonly [string, ...string[]];

const MIN_SECRET_LENGTH = 32;

export function generateServiceSecret(): string {
  return randomBytes(32).toString('hex');
}

/** Used when `SERVICE_SECRET` is unset: one secret per line, the current one first, mode 0600. */
export class ServiceSecretFile {
  readonly path: string;

  constructor(private readonly dataDir: string) {
    this.path = join(dataDir, 'service-secret');
  }

  /** @throws Error for a file without a valid secret */
  async readOrCreate(): Promise<ServiceSecretWithFallbacks> {
    try {
      await this.create([generateServiceSecret()]);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    return this.readComplete();
  }

  async exists(): Promise<boolean> {
    try {
      await access(this.path);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw toDataDirError(this.dataDir, error);
      return false;
    }
  }

  /** @throws if the file exists */
  async create(secrets: ServiceSecretWithFallbacks): Promise<void> {
    await createDataDir(this.dataDir);
    try {
      await this.writeNewFile(this.path, secrets);
    } catch (error) {
      throw toDataDirError(this.dataDir, error);
    }
  }

  /** Atomic: concurrent readers get the old secrets or the new ones. Owner and mode stay. */
  async replace(secrets: ServiceSecretWithFallbacks): Promise<void> {
    const temporary = `${this.path}.${process.pid}`;
    try {
      await this.writeNewFile(temporary, secrets);
      await copyOwnerAndMode(this.path, temporary);
      await rename(temporary, this.path);
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined);
      throw toDataDirError(this.dataDir, error);
    }
    await fsyncDirectory(this.dataDir);
  }

  private async writeNewFile(path: string, secrets: readonly string[]): Promise<void> {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(secrets.join('\n'));
      await file.sync();
    } finally {
      await file.close();
    }
  }

  /** Retries, because another process may have created the file and not written it yet. */
  private async readComplete(): Promise<ServiceSecretWithFallbacks> {
    for (let attempt = 0; attempt < 50; attempt += 1) {
      const text = await readFile(this.path, 'utf8').catch((error: unknown) => {
        throw toDataDirError(this.dataDir, error);
      });
      const [current, ...others] = text
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '');
      if (current !== undefined && [current, ...others].every((line) => line.length >= MIN_SECRET_LENGTH))
        return [current, ...others];
      await delay(20);
    }
    throw new Error(
      `${this.path} holds no service secret of at least ${MIN_SECRET_LENGTH} characters a line. Restore it from the backup; ` +
        'only on a new installation, delete it to have one made.',
    );
  }
}

/** Does nothing if the first file does not exist. */
async function copyOwnerAndMode(from: string, to: string): Promise<void> {
  const wanted = await stat(from).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return null;
  });
  if (wanted === null) return;
  const { uid, gid } = await stat(to);
  if (uid !== wanted.uid || gid !== wanted.gid) await chown(to, wanted.uid, wanted.gid);
  await chmod(to, wanted.mode & 0o7777);
}
