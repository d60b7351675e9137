import { open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { ModelPullError } from './model-pull-errors.js';

/** What came of a file so far, and by what the server can tell that it has not changed since. */
export class PartialFile {
  private readonly validatorPath: string;

  constructor(readonly path: string) {
    this.validatorPath = `${path}.validator`;
  }

  async size(): Promise<number> {
    return stat(this.path).then(
      ({ size }) => size,
      () => 0,
    );
  }

  /** An `ETag` or a `Last-Modified`; null when the server told neither. */
  async readValidator(): Promise<string | null> {
    const text = await readFile(this.validatorPath, 'utf8').catch(() => '');
    return text === '' ? null : text;
  }

  async restart(validator: string | null): Promise<void> {
    await writeFile(this.path, '');
    await writeFile(this.validatorPath, validator ?? '');
  }

  /**
   * Adds what comes, and keeps it when no more comes.
   * @throws ModelPullError when it is more than `limit` bytes in all
   */
  async append(
    bytes: AsyncIterable<Uint8Array>,
    limit: number,
    added: (count: number) => void,
  ): Promise<void> {
    const file = await open(this.path, 'a');
    try {
      let size = await this.size();
      for await (const part of bytes) {
        size += part.length;
        if (size > limit)
          throw new ModelPullError(`More than ${limit} bytes came: this is not the file of the catalogue.`);
        await file.write(part);
        added(part.length);
      }
    } finally {
      await file.close();
    }
  }

  async discard(): Promise<void> {
    await rm(this.path, { force: true });
    await this.deleteValidator();
  }

  /** What only matters as long as more is to come. */
  async deleteValidator(): Promise<void> {
    await rm(this.validatorPath, { force: true });
  }
}
