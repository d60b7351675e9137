import { describeError } from '@app/errors';
import { parentPort } from 'node:worker_threads';
import { runRenderTask, type RenderTask } from './run-render-task.js';
import type { ThreadResult } from '@app/async';

/** A worker thread, because rendering a long transcript blocks for a second or more. */
parentPort?.on('message', (task: RenderTask) => {
  void runTaskSafely(task).then((result) =>
    parentPort?.postMessage(
      result,
      'value' in result && result.value instanceof ArrayBuffer ? [result.value] : [],
    ),
  );
});

async function runTaskSafely(task: RenderTask): Promise<ThreadResult<unknown>> {
  try {
    return { value: await runRenderTask(task) };
  } catch (error) {
    return { failure: describeError(error) };
  }
}
