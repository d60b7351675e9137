import type { OutputStream } from '../command.js';

/** Standard output. When its reader has gone, as `head` does when it has seen enough, the work goes on without printing. */
export class StandardOutput implements OutputStream {
  private hasNoReader = false;
  private hasFailed = false;

  /** @param onFailure called once, with any other error than that of a reader who has gone */
  constructor(
    private readonly stream: NodeJS.WriteStream,
    private readonly onFailure: (error: Error) => void,
  ) {
    stream.on('error', (error) => this.handleError(error));
  }

  get isClosed(): boolean {
    return this.hasNoReader;
  }

  get isTTY(): boolean {
    return this.stream.isTTY;
  }

  get columns(): number {
    return this.stream.columns;
  }

  write(text: string | Uint8Array): void {
    if (!this.hasNoReader) this.stream.write(text);
  }

  /** Resolves when everything has been written, or cannot be. */
  flush(): Promise<void> {
    if (this.hasNoReader) return Promise.resolve();
    return new Promise((resolve) =>
      this.stream.write('', (error) => {
        // Before the event of the same error.
        if (error) this.handleError(error);
        resolve();
      }),
    );
  }

  private handleError(error: NodeJS.ErrnoException): void {
    if (error.code === 'EPIPE') this.hasNoReader = true;
    if (this.hasNoReader || this.hasFailed) return;
    this.hasFailed = true;
    this.onFailure(error);
  }
}
