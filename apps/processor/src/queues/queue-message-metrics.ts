import type { QueueMessageReport } from '@app/jobs';
import { Histogram, type Registry } from 'prom-client';

/** Wait and run time of every delivery, by queue. */
export function createQueueMessageMetrics(registry: Registry): (report: QueueMessageReport) => void {
  const wait = new Histogram({
    name: 'zephyr_queue_message_wait_seconds',
    help: 'Time that a queue message waited for a processor.',
    labelNames: ['queue'],
    buckets: [0.01, 0.05, 0.25, 1, 5, 30, 120, 600],
    registers: [registry],
  });
  const run = new Histogram({
    name: 'zephyr_queue_message_duration_seconds',
    help: 'Time that a processor worked on a queue message, by outcome.',
    labelNames: ['queue', 'outcome'],
    buckets: [0.01, 0.05, 0.25, 1, 5, 30, 120, 600],
    registers: [registry],
  });
  return ({ queue, outcome, waitMs, runMs }) => {
    wait.observe({ queue }, waitMs / 1000);
    run.observe({ queue, outcome }, runMs / 1000);
  };
}
