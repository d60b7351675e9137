import { parentPort } from 'node:worker_threads';
import { performRenderTask, type RenderTask } from './render-task.js';
import type { ThreadAnswer } from './thread-pool.js';

/** The thread in which transcripts are read and written: a long one takes a second or more, and cannot be interrupted. */
parentPort?.on('message', (task: RenderTask) => {
  void answer(task).then((given) =>
    parentPort?.postMessage(
      given,
      'value' in given && given.value instanceof ArrayBuffer ? [given.value] : [],
    ),
  );
});

async function answer(task: RenderTask): Promise<ThreadAnswer<unknown>> {
  try {
    return { value: await performRenderTask(task) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}
