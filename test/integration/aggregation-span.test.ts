import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJobWorld, type World } from '../support/job-world.js';
import { ShortRecordingStages } from '../support/short-recording-stages.js';
import { createThrowawayStore, type ThrowawayStore } from '../support/throwaway-store.js';

let world: World;
let files: ThrowawayStore;
beforeAll(async () => {
  [world, files] = await Promise.all([createJobWorld(), createThrowawayStore()]);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(new BasicTracerProvider());
});
afterAll(async () => {
  trace.disable();
  context.disable();
  await files.close();
  await world.close();
});

describe('the aggregation of a recording of one chunk', () => {
  it('reports a failure within its own span, not within that of the chunk', async () => {
    const reportedWithin: unknown[] = [];
    const warn = () => reportedWithin.push(trace.getActiveSpan());
    const runner = world.runner({ logger: { info: () => undefined, warn } });
    const stages = new ShortRecordingStages({ world, store: files.store, runner });
    stages.aggregation.storeTranscript = () => Promise.reject(new Error('the disk has a fault'));
    await world.run(await world.newJob(), 'preprocess', new AbortController().signal, stages.preprocess);
    await stages.waitUntilIdle();
    expect(reportedWithin).toMatchObject([{ name: 'stage aggregation' }]);
  });
});
