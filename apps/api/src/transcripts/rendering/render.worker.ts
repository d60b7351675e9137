import { serveThreadTasks } from '@app/async';
import { runRenderTask } from './run-render-task.js';

/** A worker thread, because rendering a long transcript blocks for a second or more. */
serveThreadTasks(runRenderTask);
