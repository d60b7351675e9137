import type { DeliveryReport } from '@app/jobs';
import { Histogram, type Registry } from 'prom-client';

/** Wait and run time of every delivery, by queue. */
export function deliveryMetrics(registry: Registry): (report: DeliveryReport) => void {
  const wait = new Histogram({
    name: 'zephyr_delivery_wait_seconds',
    help: 'Time between a delivery entering its queue and a processor taking it.',
    labelNames: ['queue'],
    buckets: [0.01, 0.05, 0.25, 1, 5, 30, 120, 600],
    registers: [registry],
  });
  const run = new Histogram({
    name: 'zephyr_delivery_run_seconds',
    help: 'Time a processor worked on a delivery.',
    labelNames: ['queue', 'outcome'],
    buckets: [0.01, 0.05, 0.25, 1, 5, 30, 120, 600],
    registers: [registry],
  });
  return ({ queue, outcome, waitMs, runMs }) => {
    wait.observe({ queue }, waitMs / 1000);
    run.observe({ queue, outcome }, runMs / 1000);
  };
}
