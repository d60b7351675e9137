import { type Bytes, silentWav, synthesizeSpeech } from '../support/audio.js';
import type { Client, CreatedJob } from '../support/client.js';
import { type CreatedMultipart, createMultipart } from '../support/multipart.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import type { Account } from '../support/running-service.js';
import { Service } from '../support/service.js';
import type { Dependencies } from '../support/dependencies.js';
import { type JobsByReceiver, submitJobsWithWebhooks } from './hooks.js';

export const TEXT = 'There are ninety tables between the office and the bridge.';
export const UNKNOWN = '0193a5c0-0000-7000-8000-000000000000';

/** Long enough for any step of the suite, short enough that URLs expire during it; apart, so that each is seen to count. */
export const URL_SECONDS = { upload: 60, multipart: 75, download: 90 };

/** Settings that clients notice have their defaults, except those for which tests would wait minutes. */
const SETTINGS = {
  RATE_LIMIT_FACTOR: '1',
  OUTBOUND_ALLOW: '127.0.0.1',
  WEBHOOK_BACKOFF_SECONDS: '1,1,1',
  STREAM_HEARTBEAT_SECONDS: '1',
  CHUNK_SECONDS: '5',
  CHUNK_MAX_SECONDS: '10',
  UPLOAD_URL_SECONDS: String(URL_SECONDS.upload),
  MULTIPART_URL_SECONDS: String(URL_SECONDS.multipart),
  DOWNLOAD_URL_SECONDS: String(URL_SECONDS.download),
};

/** One started service on one set of dependencies, and its callers. */
export interface SpecContext {
  service: Service;
  account: Account;
  client: Client;
  /** Callers of other accounts: one with credits, one with a single credit, and two without requests so far. */
  otherClient: Client;
  clientWithOneCredit: Client;
  unused: [Client, Client];
  receiver: WebhookReceiver;
  /** A recording of `TEXT`. */
  speech: Bytes;
  /** Created first, because tests need them to be older. */
  early: {
    single: CreatedJob;
    multipart: CreatedMultipart;
    finished: CreatedJob;
    /** By `performance.now()`, just before and after the creation of these three. */
    createdBetween: [number, number];
    jobsByReceiver: JobsByReceiver;
  };
  close(): Promise<void>;
}

export async function createSpecContext(
  startDependencies: () => Promise<Dependencies>,
): Promise<SpecContext> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const closer of closers.toReversed()) await closer();
  };
  try {
    const dependencies = await startDependencies();
    closers.push(() => dependencies.remove());
    const receiver = await WebhookReceiver.start();
    closers.push(() => receiver.close());
    const service = await Service.startEmbedded({ ...dependencies.env, ...SETTINGS });
    closers.push(() => service.stop());
    const accounts = await Promise.all([100_000, 1_000, 1, 10, 10].map((each) => service.openAccount(each)));
    const callers = await Promise.all(accounts.map(({ api_key }) => service.client(api_key)));
    const [client, otherClient, clientWithOneCredit, ...unused] = callers as [
      Client,
      Client,
      Client,
      Client,
      Client,
    ];
    const jobsByReceiver = await submitJobsWithWebhooks(client, receiver);
    const begunAt = performance.now();
    const single = await client.create({ file_size: 10 });
    const multipart = await createMultipart(client, { file_size: 10 });
    const finished = await client.submit(silentWav(1));
    const createdBetween: [number, number] = [begunAt, performance.now()];
    const early = { single, multipart, finished, createdBetween, jobsByReceiver };
    const speech = await synthesizeSpeech(TEXT);
    const account = accounts[0] as Account;
    return {
      service,
      account,
      client,
      otherClient,
      clientWithOneCredit,
      unused,
      receiver,
      speech,
      early,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
