import { Worker, type WorkerOptions } from 'node:worker_threads';

export interface ThreadPoolOptions extends Pick<WorkerOptions, 'resourceLimits'> {
  /** Receives one task per message and posts a `ThreadResult` for each. */
  script: URL;
  /** Started on demand. */
  maxThreads: number;
  maxQueuedTasks: number;
  /** After this the thread is terminated. */
  taskTimeoutMs: number;
  /** After this an idle thread is terminated to free its memory. */
  idleTimeoutMs: number;
}

export type ThreadResult<T> = { value: T } | { failure: string };

export interface ThreadTask {
  message: unknown;
  /** Transferred, not copied. */
  transfer: ArrayBuffer[];
}

/** All threads are busy and the queue is full. */
export class ThreadPoolBusyError extends Error {
  override readonly name = 'ThreadPoolBusyError';
}

/** Worker threads with a bounded FIFO queue for long synchronous work. */
export class ThreadPool {
  private readonly idleWorkers: { worker: Worker; terminationTimer: NodeJS.Timeout }[] = [];
  private readonly workers = new Set<Worker>();
  private readonly queue: (() => void)[] = [];
  private busyThreads = 0;

  constructor(private readonly options: ThreadPoolOptions) {}

  /**
   * @param load creates the task once a thread is free, so that queued tasks hold no memory
   * @throws ThreadPoolBusyError at once when the queue is full; what `load` throws; Error with the thread's message, or
   *   with the `code` of the runtime when the thread exited
   */
  async run<T>(load: () => Promise<ThreadTask>): Promise<T> {
    await this.acquireSlot();
    try {
      return await this.runInThread<T>(await load());
    } finally {
      this.releaseSlot();
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.workers].map((worker) => worker.terminate()));
  }

  private async acquireSlot(): Promise<void> {
    if (this.busyThreads < this.options.maxThreads) return void (this.busyThreads += 1);
    if (this.queue.length >= this.options.maxQueuedTasks)
      throw new ThreadPoolBusyError('too many tasks are waiting');
    await new Promise<void>((resolve) => this.queue.push(resolve));
  }

  private releaseSlot(): void {
    const next = this.queue.shift();
    if (next) next();
    else this.busyThreads -= 1;
  }

  private async runInThread<T>({ message, transfer }: ThreadTask): Promise<T> {
    const worker = this.takeIdleWorker() ?? this.startWorker();
    const result = await this.waitForResult<T>(worker, () => worker.postMessage(message, transfer));
    this.markIdle(worker);
    if ('failure' in result) throw new Error(result.failure);
    return result.value;
  }

  /** A thread that fails, exits or times out is not reused. */
  private waitForResult<T>(worker: Worker, postTask: () => void): Promise<ThreadResult<T>> {
    return new Promise((resolve, reject) => {
      const fail = (error: Error) => {
        settle();
        void worker.terminate();
        reject(error);
      };
      const finish = (result: ThreadResult<T>) => {
        settle();
        resolve(result);
      };
      const failOnExit = () => fail(new Error('the thread ended under its task'));
      const timer = setTimeout(() => fail(new Error('the task took too long')), this.options.taskTimeoutMs);
      const settle = () => {
        clearTimeout(timer);
        worker.off('message', finish).off('error', fail).off('exit', failOnExit);
      };
      worker.on('message', finish).on('error', fail).on('exit', failOnExit);
      try {
        postTask();
      } catch (error) {
        fail(error as Error);
      }
    });
  }

  private markIdle(worker: Worker): void {
    const terminationTimer = setTimeout(() => {
      this.removeIdleWorker(worker);
      void worker.terminate();
    }, this.options.idleTimeoutMs);
    this.idleWorkers.push({ worker, terminationTimer: terminationTimer.unref() });
  }

  /** The most recently used worker, so that the others can time out. */
  private takeIdleWorker(): Worker | undefined {
    const idle = this.idleWorkers.pop();
    clearTimeout(idle?.terminationTimer);
    return idle?.worker;
  }

  private removeIdleWorker(worker: Worker): void {
    const index = this.idleWorkers.findIndex((each) => each.worker === worker);
    if (index !== -1) clearTimeout(this.idleWorkers.splice(index, 1)[0]?.terminationTimer);
  }

  private startWorker(): Worker {
    const { script, resourceLimits } = this.options;
    const worker = new Worker(script, resourceLimits ? { resourceLimits } : {});
    this.workers.add(worker);
    // An error without a waiting task must not crash the process.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      this.workers.delete(worker);
      this.removeIdleWorker(worker);
    });
    worker.unref();
    return worker;
  }
}
