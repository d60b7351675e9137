import { parentPort } from 'node:worker_threads';
import { runRenderTask, type RenderTask } from './run-render-task.js';
import type { ThreadResult } from './thread-pool.js';

/** The thread in which transcripts are read and written: a long one takes a second or more, and cannot be interrupted. */
parentPort?.on('message', (task: RenderTask) => {
  void runTaskSafely(task).then((given) =>
    parentPort?.postMessage(
      given,
      'value' in given && given.value instanceof ArrayBuffer ? [given.value] : [],
    ),
  );
});

async function runTaskSafely(task: RenderTask): Promise<ThreadResult<unknown>> {
  try {
    return { value: await runRenderTask(task) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}
