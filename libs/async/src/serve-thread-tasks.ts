import { parentPort } from 'node:worker_threads';
import { describeError } from '@app/errors';
import type { ThreadResult } from './thread-pool.js';

/** In a thread of `ThreadPool`. An `ArrayBuffer` that `run` returns is transferred, not copied. */
export function serveThreadTasks<Task>(run: (task: Task) => Promise<unknown>): void {
  parentPort?.on('message', (task: Task) => {
    void runSafely(run, task).then((result) =>
      parentPort?.postMessage(
        result,
        'value' in result && result.value instanceof ArrayBuffer ? [result.value] : [],
      ),
    );
  });
}

async function runSafely<Task>(
  run: (task: Task) => Promise<unknown>,
  task: Task,
): Promise<ThreadResult<unknown>> {
  try {
    return { value: await run(task) };
  } catch (error) {
    return { failure: describeError(error) };
  }
}
