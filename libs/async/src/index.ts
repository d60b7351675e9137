export { CooperativeYielder } from './cooperative-yielder.js';
export { forEachConcurrently } from './for-each-concurrently.js';
export { PollingLoop, type PollingLoopLogger, type PollingLoopOptions } from './polling-loop.js';
export { Semaphore } from './semaphore.js';
export { settlesWithin } from './settles-within.js';
export { serveThreadTasks } from './serve-thread-tasks.js';
export { ThreadPool, ThreadPoolBusyError } from './thread-pool.js';
export { withAnySignal } from './with-any-signal.js';
