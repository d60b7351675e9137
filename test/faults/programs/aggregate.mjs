/**
 * A separate program, so that its memory is that of aggregation alone: runs the aggregation of the only job like
 * the processor, against a real database and store, and prints its peak memory in MiB.
 */
import { CreditJobHooks } from '../../../dist/libs/billing/src/index.js';
import { createDataSource } from '../../../dist/libs/database/src/index.js';
import { StageRunner } from '../../../dist/libs/jobs/src/index.js';
import { createObjectStore } from '../../../dist/libs/storage/src/index.js';
import { AggregationStage } from '../../../dist/apps/processor/src/aggregation/aggregation.stage.js';
import { TranscriptFileRenderer } from '../../../dist/apps/processor/src/aggregation/transcript-file-renderer.js';
import { limitHeapGrowth } from '../../../dist/apps/processor/src/heap.js';

limitHeapGrowth();
const [url, root] = process.argv.slice(2);
const engine = {
  capabilities: { languages: ['en'], wordTimes: true, punctuation: false, vocabulary: false },
  identity: async () => ({ name: 'test', model: null, version: null }),
};
const auxiliaryModels = { speakerFeatureExtractor: null, languageIdentifier: null, punctuator: null };
const signingKeys = [{ id: 'test', key: Buffer.alloc(32, 1) }];
const store = await createObjectStore({ kind: 'files', root, publicUrl: 'http://127.0.0.1', signingKeys });
const dataSource = await createDataSource({ url, poolSize: 2, applicationName: 'test' }).initialize();
const hooks = new CreditJobHooks(1);
const runner = new StageRunner({
  ...{ dataSource, hooks, leaseSeconds: 60, stageTimeoutSeconds: 600, maxAttempts: 1, retryDelaySeconds: 0 },
  logger: { warn: (...messages) => console.error(...messages) },
  onCommitted: () => undefined,
});
const stage = new AggregationStage(
  dataSource,
  store,
  engine,
  hooks,
  auxiliaryModels,
  new TranscriptFileRenderer(),
);
const { signal } = new AbortController();
await runner.run('aggregation', signal, (claimed, stop) => stage.work(claimed, stop));
await dataSource.destroy();
await store.close();
console.log(process.resourceUsage().maxRSS / 1024);
