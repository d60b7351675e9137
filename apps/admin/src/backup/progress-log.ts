const LOG_INTERVAL_MS = 5_000;

/** Lines on standard error for whoever waits, one every few seconds at most. */
export class ProgressLog {
  private last = 0;

  constructor(private readonly write: (line: string) => void = (line) => process.stderr.write(`${line}\n`)) {}

  /** A step that has begun. */
  startStep(text: string): void {
    this.last = performance.now();
    this.write(text);
  }

  /** How far the step has come; left out when something was said just before. */
  report(text: string): void {
    if (performance.now() - this.last >= LOG_INTERVAL_MS) this.startStep(`  ${text}`);
  }
}
