import { describeError } from '@app/errors';

/** A failing item does not stop the others. */
export class ErrorCollector {
  private errorCount = 0;
  private firstError: Error | undefined;

  /** @param stop ends the run between two items */
  constructor(private readonly stop?: AbortSignal) {}

  /**
   * @param what names the item in the error
   * @returns undefined if the work failed
   * @throws the reason of `stop` when it is aborted
   */
  async run<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    this.stop?.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      this.stop?.throwIfAborted();
      this.errorCount += 1;
      this.firstError ??= new Error(`${what}: ${describeError(error)}`, { cause: error });
      return undefined;
    }
  }

  /** @throws the first error, with its item and the number of errors; its cause is the original error */
  throwIfFailed(): void {
    if (this.firstError === undefined) return;
    const { message, cause } = this.firstError;
    throw this.errorCount === 1
      ? this.firstError
      : new Error(`${message} (one of ${this.errorCount})`, { cause });
  }
}
