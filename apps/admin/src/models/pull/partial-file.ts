import { open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { ModelPullError } from './model-pull-errors.js';

/** The downloaded part of a file, and the validator by which the server recognises its version. */
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

  /** @returns an `ETag` or `Last-Modified`; null if the server sent neither */
  async readValidator(): Promise<string | null> {
    const text = await readFile(this.validatorPath, 'utf8').catch(() => '');
    return text === '' ? null : text;
  }

  async restart(validator: string | null): Promise<void> {
    await writeFile(this.path, '');
    await writeFile(this.validatorPath, validator ?? '');
  }

  /** Keeps the bytes when the stream fails. @throws ModelPullError above `limit` bytes in all */
  async append(
    bytes: AsyncIterable<Uint8Array>,
    limit: number,
    onAppended: (count: number) => void,
  ): Promise<void> {
    const file = await open(this.path, 'a');
    try {
      let size = await this.size();
      for await (const part of bytes) {
        size += part.length;
        if (size > limit)
          throw new ModelPullError(`More than ${limit} bytes came: this is not the file of the catalogue.`);
        await file.write(part);
        onAppended(part.length);
      }
    } finally {
      await file.close();
    }
  }

  async discard(): Promise<void> {
    await rm(this.path, { force: true });
    await this.deleteValidator();
  }

  async deleteValidator(): Promise<void> {
    await rm(this.validatorPath, { force: true });
  }
}
