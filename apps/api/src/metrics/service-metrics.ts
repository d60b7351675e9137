import { rowsOf } from '@app/database';
import { JOB_QUEUE, type JobQueue, QUEUE_NAMES } from '@app/jobs';
import { METRICS } from '@app/runtime';
import { Inject, Injectable } from '@nestjs/common';
import { Gauge, Histogram, type Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { StreamPool } from '../streaming/stream-pool.js';

/** The numbers that tell an operator how the service is; those of rows and queues are asked for at every scrape. */
@Injectable()
export class ServiceMetrics {
  /** Seconds per request, by route pattern. */
  readonly requests: Histogram<'method' | 'route' | 'status'>;

  constructor(
    @Inject(METRICS) registry: Registry,
    @Inject(DataSource) dataSource: DataSource,
    @Inject(JOB_QUEUE) queue: JobQueue,
    @Inject(StreamPool) streams: StreamPool,
  ) {
    const registers = [registry];
    this.requests = new Histogram({
      name: 'zephyr_http_request_seconds',
      help: 'Duration of HTTP requests.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30],
      registers,
    });
    const open: Gauge<'state'> = new Gauge({
      name: 'zephyr_jobs_open',
      help: 'Jobs that have not ended: waiting for their upload, or queued.',
      labelNames: ['state'],
      registers,
      collect: () => countOpenJobs(dataSource, open),
    });
    const outbox: Gauge = new Gauge({
      name: 'zephyr_outbox_due',
      help: 'Deliveries that are due and not yet handed to the queue.',
      registers,
      collect: () => countOutbox(dataSource, outbox),
    });
    const waiting: Gauge<'queue'> = new Gauge({
      name: 'zephyr_queue_waiting',
      help: 'Deliveries waiting for a processor.',
      labelNames: ['queue'],
      registers,
      collect: () => countQueues(queue, waiting),
    });
    const streaming: Gauge<'state'> = new Gauge({
      name: 'zephyr_streams',
      help: 'Event streams of this process.',
      labelNames: ['state'],
      registers,
      collect: () => {
        streaming.set({ state: 'served' }, streams.open);
        streaming.set({ state: 'waiting' }, streams.waiting);
      },
    });
  }
}

/** A scrape that finds a dependency away reports what it can: the others' numbers still count. */
async function orNothing(gauge: Gauge<string>, collect: () => Promise<void>): Promise<void> {
  forget(gauge);
  await collect().catch(() => forget(gauge));
}

/** A gauge without labels is 0 after a reset, which would be a claim about what nobody could ask. */
function forget(gauge: Gauge<string>): void {
  gauge.reset();
  gauge.remove({});
}

function countOpenJobs(dataSource: DataSource, gauge: Gauge<'state'>): Promise<void> {
  return orNothing(gauge, async () => {
    const [row] = await rowsOf<{ uploading: number; queued: number }>(
      dataSource,
      `SELECT count(*) FILTER (WHERE queued_at IS NULL) AS uploading, count(queued_at) AS queued
       FROM job WHERE status = 'processing'`,
    );
    gauge.set({ state: 'uploading' }, row?.uploading ?? 0);
    gauge.set({ state: 'queued' }, row?.queued ?? 0);
  });
}

function countOutbox(dataSource: DataSource, gauge: Gauge): Promise<void> {
  return orNothing(gauge, async () => {
    const [row] = await rowsOf<{ due: number }>(
      dataSource,
      'SELECT count(*) AS due FROM outbox WHERE due_at <= now()',
    );
    gauge.set(row?.due ?? 0);
  });
}

function countQueues(queue: JobQueue, gauge: Gauge<'queue'>): Promise<void> {
  return orNothing(gauge, async () => {
    for (const name of QUEUE_NAMES) gauge.set({ queue: name }, (await queue.counts(name)).waiting);
  });
}
