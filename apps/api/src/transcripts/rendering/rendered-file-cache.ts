export interface RenderedFileCacheOptions {
  /** Bytes of all kept files together. */
  maxBytes: number;
  /** A larger file is not kept. */
  maxFileBytes: number;
}

/**
 * Keeps the files that were rendered last, and lets requests for a file that is being rendered wait for it: a client
 * that downloads one file again and again costs one rendering.
 */
export class RenderedFileCache {
  /** The least recently used first. */
  private readonly files = new Map<string, Buffer>();
  private readonly rendering = new Map<string, Promise<Buffer>>();
  private bytes = 0;

  constructor(private readonly options: RenderedFileCacheOptions) {}

  /** @throws what `render` throws, to all who wait for it */
  async get(key: string, render: () => Promise<Buffer>): Promise<Buffer> {
    const known = this.files.get(key);
    if (known !== undefined) {
      this.files.delete(key);
      this.files.set(key, known);
      return known;
    }
    const pending = this.rendering.get(key) ?? this.startRendering(key, render);
    return pending;
  }

  private startRendering(key: string, render: () => Promise<Buffer>): Promise<Buffer> {
    const pending = render()
      .then((file) => this.keep(key, file))
      .finally(() => this.rendering.delete(key));
    this.rendering.set(key, pending);
    return pending;
  }

  private keep(key: string, file: Buffer): Buffer {
    const { maxBytes, maxFileBytes } = this.options;
    if (file.length > maxFileBytes) return file;
    this.files.set(key, file);
    this.bytes += file.length;
    for (const [oldest, { length }] of this.files) {
      if (this.bytes <= maxBytes) break;
      this.files.delete(oldest);
      this.bytes -= length;
    }
    return file;
  }
}
