import { BullRegistrar, Processor, WorkerHost } from '@nestjs/bullmq';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { BullJob } from '../../libs/jobs/src/queue/backoff-worker.js';
import type { QueueHandler, QueueUnderTest } from '../../libs/jobs/src/queue/contract-support.contract.js';
import { StageQueues } from '../../libs/jobs/src/queue/stage-queues.js';
import { QueueConsumer } from '../../libs/jobs/src/queue/queue-consumer.js';
import type { QueueServerOptions } from '../../libs/jobs/src/queue/queue-options.js';
import { QueueModule } from '../../libs/jobs/src/queue/queue.module.js';
import type { QueueName, QueuePayloads } from '../../libs/jobs/src/queue/queues.js';

/** One Nest application that adds messages, and one for each consumer, each with its own connections. */
export class NestQueue implements QueueUnderTest {
  private readonly programs: Promise<INestApplicationContext>[] = [];
  private readonly consumers: QueueConsumer[] = [];
  private readonly producer: Promise<INestApplicationContext>;

  constructor(private readonly options: QueueServerOptions) {
    this.producer = this.startProgram([]);
  }

  add: StageQueues['add'] = async (messages) => (await this.jobQueue()).add(messages);
  counts: StageQueues['counts'] = async (name) => (await this.jobQueue()).counts(name);
  ping: StageQueues['ping'] = async () => (await this.jobQueue()).ping();

  async consume<N extends QueueName>(name: N, concurrency: number, handler: QueueHandler<N>) {
    @Processor(name)
    class Host extends WorkerHost {
      async process(job: BullJob, _token?: string, signal?: AbortSignal) {
        return handler(job.data as QueuePayloads[N], signal as AbortSignal);
      }
    }
    const program = await this.startProgram([Host]);
    program.get(BullRegistrar).register();
    const consumer = new QueueConsumer(program.get(Host), concurrency);
    this.consumers.push(consumer);
    await consumer.checkHeartbeat();
    return consumer;
  }

  async close(): Promise<void> {
    await Promise.all(this.consumers.splice(0).map((consumer) => consumer.close(0)));
    await Promise.all(this.programs.splice(0).map(async (program) => (await program).close()));
  }

  private async jobQueue(): Promise<StageQueues> {
    return (await this.producer).get(StageQueues);
  }

  private startProgram(providers: Type[]): Promise<INestApplicationContext> {
    const queues = QueueModule.forRoot(this.options);
    const module = { ...queues, providers: [...(queues.providers ?? []), ...providers] };
    const program = NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
    this.programs.push(program);
    return program;
  }
}
