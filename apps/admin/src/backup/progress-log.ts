const LOG_INTERVAL_MS = 5_000;

/** Writes to standard error. */
export class ProgressLog {
  private last = 0;

  constructor(private readonly write: (line: string) => void = (line) => process.stderr.write(`${line}\n`)) {}

  startStep(text: string): void {
    this.last = performance.now();
    this.write(text);
  }

  /** Writes at most one line every five seconds. */
  report(text: string): void {
    if (performance.now() - this.last >= LOG_INTERVAL_MS) this.startStep(`  ${text}`);
  }
}
