import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip, gunzip } from 'node:zlib';

/** A script, read on the first request. Only the compressed bytes stay in memory; the ETag is weak because it covers both forms. */
export class CompressedScript {
  private loaded: Promise<{ gzipped: Buffer; etag: string }> | undefined;

  constructor(private readonly file: URL) {}

  async etag(): Promise<string> {
    return (await this.load()).etag;
  }

  async gzipped(): Promise<Buffer> {
    return (await this.load()).gzipped;
  }

  /** For clients without gzip. */
  async plain(): Promise<Buffer> {
    return promisify(gunzip)(await this.gzipped());
  }

  private load(): Promise<{ gzipped: Buffer; etag: string }> {
    this.loaded ??= this.compress().catch((error: unknown) => {
      this.loaded = undefined;
      throw error;
    });
    return this.loaded;
  }

  private async compress(): Promise<{ gzipped: Buffer; etag: string }> {
    const content = await readFile(this.file);
    return { gzipped: await promisify(gzip)(content), etag: `W/${computeEtag(content)}` };
  }
}

export function computeEtag(content: string | Buffer): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
}
