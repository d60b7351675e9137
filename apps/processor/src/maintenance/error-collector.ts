import { reasonOf } from '@app/runtime';

/** The same for one thing after another. What fails for one of them keeps none of the others from it. */
export class ErrorCollector {
  private errorCount = 0;
  private firstError: Error | undefined;

  /** @param stop between two of them all may end */
  constructor(private readonly stop: AbortSignal) {}

  /**
   * @param what names the thing for the log
   * @returns undefined when it failed
   * @throws the reason of `stop` when it is aborted
   */
  async run<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    this.stop.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      this.stop.throwIfAborted();
      this.errorCount += 1;
      this.firstError ??= new Error(`${what}: ${reasonOf(error)}`, { cause: error });
      return undefined;
    }
  }

  /** @throws the first trouble, which tells of what, and how many there were; its cause is what was thrown */
  throwIfFailed(): void {
    if (this.firstError === undefined) return;
    const { message, cause } = this.firstError;
    throw this.errorCount === 1
      ? this.firstError
      : new Error(`${message} (one of ${this.errorCount})`, { cause });
  }
}
