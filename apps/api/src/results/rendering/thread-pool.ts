import { Worker, type WorkerOptions } from 'node:worker_threads';

export interface ThreadPoolOptions extends Pick<WorkerOptions, 'resourceLimits'> {
  /** Takes one task a message and answers each with a `ThreadAnswer`. */
  script: URL;
  /** At most so many at work. Each is started when it is needed. */
  threads: number;
  /** At most so many tasks waiting for a thread. */
  waiting: number;
  /** Milliseconds a task may take in its thread before that is ended. */
  taskMs: number;
  /** Milliseconds without a task after which a thread ends and gives its memory back. */
  idleMs: number;
}

/** What a thread posts back. */
export type ThreadAnswer<T> = { value: T } | { failure: string };

export interface ThreadTask {
  message: unknown;
  /** Handed over, not copied. */
  transfer: ArrayBuffer[];
}

/** All threads are busy, and as many tasks wait as may. */
export class ThreadsBusy extends Error {
  override readonly name = 'ThreadsBusy';
}

/** Long synchronous work away from the event loop: a few threads, a bounded queue before them, first come first served. */
export class ThreadPool {
  private readonly idle: { worker: Worker; ending: NodeJS.Timeout }[] = [];
  private readonly alive = new Set<Worker>();
  private readonly queue: (() => void)[] = [];
  private busy = 0;

  constructor(private readonly options: ThreadPoolOptions) {}

  /**
   * @param load makes the task once a thread is free, so that what waits holds nothing
   * @throws ThreadsBusy at once when the queue is full; what `load` throws; Error with the thread's own words, or with
   *   the `code` of the runtime when the thread ended under its task
   */
  async run<T>(load: () => Promise<ThreadTask>): Promise<T> {
    await this.place();
    try {
      return await this.inThread<T>(await load());
    } finally {
      this.leave();
    }
  }

  /** Ends every thread, whatever it does. */
  async close(): Promise<void> {
    await Promise.all([...this.alive].map((worker) => worker.terminate()));
  }

  private async place(): Promise<void> {
    if (this.busy < this.options.threads) return void (this.busy += 1);
    if (this.queue.length >= this.options.waiting) throw new ThreadsBusy('too many tasks are waiting');
    await new Promise<void>((resolve) => this.queue.push(resolve));
  }

  private leave(): void {
    const next = this.queue.shift();
    if (next) next();
    else this.busy -= 1;
  }

  private async inThread<T>({ message, transfer }: ThreadTask): Promise<T> {
    const worker = this.wake() ?? this.start();
    const answer = await this.answerOf<T>(worker, () => worker.postMessage(message, transfer));
    this.rest(worker);
    if ('failure' in answer) throw new Error(answer.failure);
    return answer.value;
  }

  /** A thread that errs, ends or takes too long is not used again. */
  private answerOf<T>(worker: Worker, ask: () => void): Promise<ThreadAnswer<T>> {
    return new Promise((resolve, reject) => {
      const end = (error: Error) => {
        settle();
        void worker.terminate();
        reject(error);
      };
      const answered = (answer: ThreadAnswer<T>) => {
        settle();
        resolve(answer);
      };
      const ended = () => end(new Error('the thread ended under its task'));
      const timer = setTimeout(() => end(new Error('the task took too long')), this.options.taskMs);
      const settle = () => {
        clearTimeout(timer);
        worker.off('message', answered).off('error', end).off('exit', ended);
      };
      worker.on('message', answered).on('error', end).on('exit', ended);
      try {
        ask();
      } catch (error) {
        end(error as Error);
      }
    });
  }

  private rest(worker: Worker): void {
    const ending = setTimeout(() => {
      this.forget(worker);
      void worker.terminate();
    }, this.options.idleMs);
    this.idle.push({ worker, ending: ending.unref() });
  }

  /** The one that rested least: the others may come to their end. */
  private wake(): Worker | undefined {
    const rested = this.idle.pop();
    clearTimeout(rested?.ending);
    return rested?.worker;
  }

  private forget(worker: Worker): void {
    const at = this.idle.findIndex((each) => each.worker === worker);
    if (at !== -1) clearTimeout(this.idle.splice(at, 1)[0]?.ending);
  }

  private start(): Worker {
    const { script, resourceLimits } = this.options;
    const worker = new Worker(script, resourceLimits ? { resourceLimits } : {});
    this.alive.add(worker);
    // An error that comes when no task waits for it must not end the process.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      this.alive.delete(worker);
      this.forget(worker);
    });
    worker.unref();
    return worker;
  }
}
