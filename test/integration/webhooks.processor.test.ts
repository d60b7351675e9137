import { DatabaseModule, getPgPool, Encryptor, inTransaction } from '@app/database';
import { OBJECT_STORE_TOKEN, type PresignGetOptions, TranscriptUrlSigner } from '@app/storage';
import { OutboundModule } from '@app/outbound';
import { replayDelivery, WebhooksModule } from '@app/webhooks';
import { Global, type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createWebhookAttemptRecorder } from '../../apps/processor/src/webhooks/webhook-attempt-metrics.js';
import {
  WEBHOOK_DISPATCH_OPTIONS_TOKEN,
  type WebhookDispatchOptions,
  WebhookDispatchService,
} from '../../apps/processor/src/webhooks/webhook-dispatch.service.js';
import { hang, type Receiver, startReceiver, status, until } from './outbound.receiver.js';
import { WebhookFixture } from './webhooks.fixture.js';

const store = {
  presignGet: async ({ key, filename }: PresignGetOptions) => `https://store.example/${key}?${filename}`,
};

const urlSigner = new TranscriptUrlSigner({ publicUrl: 'https://api.example', keys: [Buffer.alloc(32)] });

/** The dependencies of the dispatch. */
@Global()
@Module({
  providers: [
    { provide: OBJECT_STORE_TOKEN, useValue: store },
    { provide: TranscriptUrlSigner, useValue: urlSigner },
  ],
  exports: [OBJECT_STORE_TOKEN, TranscriptUrlSigner],
})
class ObjectStoreStubModule {}

/** Connections of the pool that listen for notifications. */
const LISTENER_CONNECTIONS = 1;

let fixture: WebhookFixture;
let receiver: Receiver;
let app: INestApplicationContext;
let metrics: Registry;

beforeAll(async () => {
  fixture = await WebhookFixture.open();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  receiver = await startReceiver(status(200));
  metrics = new Registry();
  app = await NestFactory.createApplicationContext(
    {
      module: ObjectStoreStubModule,
      imports: [
        DatabaseModule.forRoot({ url: fixture.url, poolSize: 4, applicationName: 'dispatching' }),
        OutboundModule.forRoot({ allow: ['127.0.0.1'] }),
        WebhooksModule.forRoot(new Encryptor(fixture.key)),
      ],
      providers: [
        {
          provide: WEBHOOK_DISPATCH_OPTIONS_TOKEN,
          useValue: {
            concurrency: 4,
            backoffSeconds: [0, 0, 0],
            downloadSeconds: 60,
            logger: { warn: (message) => void fixture.warnings.push(message) },
            onAttempt: createWebhookAttemptRecorder(metrics),
          } satisfies WebhookDispatchOptions,
        },
        WebhookDispatchService,
      ],
    },
    { logger: false },
  );
  app.get(WebhookDispatchService).start();
});
afterEach(async () => {
  await app.close();
  await receiver.close();
  await fixture.clear();
});

function findListeners(): Promise<{ pid: number }[]> {
  return fixture.dataSource.query(
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'dispatching' AND query LIKE 'LISTEN%' AND datname = current_database()`,
  );
}

describe('the webhook dispatch of a processor', () => {
  it('a delivery that another process enqueued is sent with a signed URL of the object store', async () => {
    const jobId = await fixture.endedJob(receiver.url);
    await until(async () => (await fixture.deliveryOf(jobId)).state === 'delivered');
    expect(JSON.parse(String(receiver.received[0]?.body))).toMatchObject({
      download_url: `https://store.example/results/a.json?transcript-${jobId}.json`,
    });
    // The metric is counted after the row is written, so the row may be visible first.
    const counted = 'zephyr_webhook_attempts_total{result="delivered"} 1';
    await until(async () => (await metrics.metrics()).includes(counted));
  });

  it('a replay after speakers were named links to the transcript with the names', async () => {
    const jobId = await fixture.endedJob(receiver.url);
    await until(async () => (await fixture.deliveryOf(jobId)).state === 'delivered');
    await fixture.dataSource.query(`UPDATE job SET speaker_names = '{"SPEAKER_1": "Ada"}' WHERE id = $1`, [
      jobId,
    ]);
    const { id } = await fixture.deliveryOf(jobId);
    await inTransaction(fixture.dataSource, (tx) => replayDelivery(tx, fixture.accountId, id));
    await until(() => receiver.received.length === 2);
    const { download_url: url } = JSON.parse(String(receiver.received[1]?.body)) as { download_url: string };
    expect(url).toMatch(`https://api.example/transcripts/${jobId}?`);
    const parameters = new URL(url).searchParams;
    urlSigner.verify(jobId, parameters.get('expires'), parameters.get('signature'));
  });

  it('a notification wakes the dispatcher at once', async () => {
    await until(async () => (await findListeners()).length === 1);
    const waits: number[] = [];
    for (let job = 0; job < 5; job += 1) {
      const startedAt = performance.now();
      await fixture.endedJob(receiver.url);
      await until(() => receiver.received.length === job + 1);
      waits.push(performance.now() - startedAt);
    }
    console.log(`job ended to webhook received: ${waits.map(Math.round).join(', ')} ms`);
    expect(Math.min(...waits)).toBeLessThan(500);
  });

  it('the dispatcher listens again after its connection is lost', async () => {
    await until(async () => (await findListeners()).length === 1);
    const [previousListener] = await findListeners();
    await fixture.dataSource.query('SELECT pg_terminate_backend($1)', [previousListener?.pid]);
    await until(async () => {
      const [now] = await findListeners();
      return now !== undefined && now.pid !== previousListener?.pid;
    });
    const jobId = await fixture.endedJob(receiver.url);
    await until(async () => (await fixture.deliveryOf(jobId)).state === 'delivered');
  });

  it('a shutdown waits for the running attempt and starts no further one', async () => {
    let endResponse = () => {};
    receiver.answer = (_, response) => void (endResponse = () => response.end());
    const jobId = await fixture.endedJob(receiver.url);
    await until(() => receiver.received.length === 1);
    // The tick that started this attempt may still be querying.
    const pool = getPgPool(app.get(DataSource));
    await until(() => pool.idleCount === pool.totalCount - LISTENER_CONNECTIONS);
    const closing = app.close();
    await fixture.endedJob(receiver.url);
    endResponse();
    await closing;
    expect(await fixture.deliveryOf(jobId)).toMatchObject({ state: 'delivered', attempts: 1 });
    expect(receiver.received).toHaveLength(1);
    receiver.answer = hang;
  });
});
