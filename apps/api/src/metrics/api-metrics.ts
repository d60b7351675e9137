import {
  countOverdueOutboxMessages,
  countAllUploadingAndQueuedJobs,
  readLongestWaitPerQueue,
  StageQueues,
  QUEUE_NAMES,
} from '@app/jobs';
import { type GaugeValueByLabel, METRICS_REGISTRY_TOKEN, registerQueriedGauge } from '@app/runtime';
import { readWebhookBacklog } from '@app/webhooks';
import { Inject, Injectable } from '@nestjs/common';
import { Gauge, Histogram, type Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { StreamAdmissionQueue } from '../streaming/stream-admission-queue.js';

/** Metrics of the API. Those of rows and queues are queried at every scrape. */
@Injectable()
export class ApiMetrics {
  /** Seconds per request, by route pattern. */
  readonly requests: Histogram<'method' | 'route' | 'status'>;

  constructor(
    @Inject(METRICS_REGISTRY_TOKEN) registry: Registry,
    dataSource: DataSource,
    queue: StageQueues,
    streams: StreamAdmissionQueue,
  ) {
    this.requests = new Histogram({
      name: 'zephyr_http_request_seconds',
      help: 'Duration of HTTP requests.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30],
      registers: [registry],
    });
    registerQueriedGauge(
      registry,
      {
        name: 'zephyr_jobs_open',
        help: 'Open jobs: waiting for their upload, or queued.',
        label: 'state',
      },
      () => countAllUploadingAndQueuedJobs(dataSource),
    );
    registerQueriedGauge(
      registry,
      {
        name: 'zephyr_outbox_due',
        help: 'Queue messages that have been due for at least 5 seconds and are not sent.',
      },
      () => countOverdueOutboxMessages(dataSource),
    );
    registerQueriedGauge(
      registry,
      { name: 'zephyr_queue_waiting', help: 'Queue messages that wait for a processor.', label: 'queue' },
      () => countWaitingMessages(queue),
    );
    registerQueriedGauge(
      registry,
      {
        name: 'zephyr_oldest_waiting_stage_age_seconds',
        help: 'Age of the oldest waiting stage; 0 if none waits.',
        label: 'stage',
      },
      () => findOldestWaitingStages(dataSource),
    );
    registerQueriedGauge(
      registry,
      {
        name: 'zephyr_webhooks_pending',
        help: 'Webhooks that are neither delivered nor failed permanently.',
      },
      async () => (await readWebhookBacklog(dataSource)).pending,
    );
    registerQueriedGauge(
      registry,
      {
        name: 'zephyr_webhook_oldest_due_age_seconds',
        help: 'Time since the oldest due webhook became due; 0 if none is due, and while webhooks are held.',
      },
      async () => (await readWebhookBacklog(dataSource)).oldestDueSeconds,
    );
    const streaming: Gauge<'state'> = new Gauge({
      name: 'zephyr_streams',
      help: 'Event streams of this process.',
      labelNames: ['state'],
      registers: [registry],
      collect: () => {
        streaming.set({ state: 'served' }, streams.activeStreams);
        streaming.set({ state: 'waiting' }, streams.waitingStreams);
      },
    });
  }
}

async function countWaitingMessages(queue: StageQueues): Promise<GaugeValueByLabel> {
  const counts = QUEUE_NAMES.map(async (name) => [name, (await queue.counts(name)).waiting]);
  return Object.fromEntries(await Promise.all(counts)) as GaugeValueByLabel;
}

async function findOldestWaitingStages(dataSource: DataSource): Promise<GaugeValueByLabel> {
  const rows = await readLongestWaitPerQueue(dataSource);
  const none = Object.fromEntries(QUEUE_NAMES.map((name) => [name, 0]));
  return { ...none, ...Object.fromEntries(rows.map(({ queue, seconds }) => [queue, seconds])) };
}
