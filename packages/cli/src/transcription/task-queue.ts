/** Runs tasks as they are added, some at a time, in order. Tasks handle their own errors. */
export class TaskQueue {
  private readonly waiting: (() => Promise<void>)[] = [];
  private readonly running = new Set<Promise<void>>();

  constructor(private readonly concurrency: number) {}

  add(task: () => Promise<void>): void {
    this.waiting.push(task);
    this.start();
  }

  /** Resolves when all tasks have ended. */
  async drain(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }

  private start(): void {
    while (this.running.size < this.concurrency) {
      const task = this.waiting.shift();
      if (task === undefined) return;
      const run = task().finally(() => {
        this.running.delete(run);
        this.start();
      });
      this.running.add(run);
    }
  }
}
