import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const FILE = 'service-secret';

/** The configured secret, or the one kept in the data folder (made on first use, mode 0600). */
export async function serviceSecret(configured: string | undefined, dataDir: string): Promise<string> {
  if (configured !== undefined) return configured;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, FILE);
  try {
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(randomBytes(32).toString('hex'));
    await file.sync();
    await file.close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readWhole(path);
}

/** Another process may have made the file this instant and not have filled it yet. */
async function readWhole(path: string): Promise<string> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const text = (await readFile(path, 'utf8')).trim();
    if (text.length >= 32) return text;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`${path} holds no secret; delete it to have a new one made (existing API keys then end).`);
}

/** A 32-byte key for one purpose; keys of different purposes tell nothing of each other. */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'zephyr', purpose, 32));
}

/** Tells two secrets apart without telling anything about them. */
export function fingerprint(secret: string): string {
  return createHash('sha256').update(deriveKey(secret, 'fingerprint')).digest('hex').slice(0, 32);
}
