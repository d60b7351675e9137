/** A caller's program with the types of `openapi-typescript`. Prints its results as JSON. */
import createClient from 'openapi-fetch';
import { put, readArguments, receiveWebhook } from './common.js';
import type { components, paths } from './schema.js';

type Schemas = components['schemas'];

const UNKNOWN_JOB = '0193a5c0-0000-7000-8000-000000000000';
const { baseUrl, apiKey, audio } = await readArguments();
const api = createClient<paths>({ baseUrl, headers: { 'X-API-Key': apiKey } });

const webhook = await receiveWebhook();
const { data: created, error } = await api.POST('/api/v1/upload', {
  body: {
    file_size: audio.length,
    output_type: 'txt',
    callback_url: webhook.url,
    metadata: { program: 'openapi-fetch' },
  },
});
if (!created) throw new Error(error.code);
if (created.upload_url === null) throw new Error('There is no upload URL.');
await put(created.upload_url, created.content_type, audio);
const { job_id } = created;
const completed = await api.POST('/api/v1/upload/complete', { body: { job_id } });

const streamed: string[] = [];
let outputType: Schemas['CompletedEvent']['output_type'] | undefined;
const { data: stream } = await api.GET('/api/v1/jobs/{job_id}/stream', {
  params: { path: { job_id } },
  parseAs: 'stream',
});
if (!stream) throw new Error('There is no stream.');
for await (const event of readEvents(stream)) {
  streamed.push(event.event);
  if (event.event === 'failed') throw new Error(`${event.data.step}: ${event.data.reason}`);
  if (event.event === 'completed') outputType = event.data.output_type;
  if (event.event === 'progress' && event.data.completed > event.data.total) throw new Error('Impossible.');
}

const { data: page } = await api.GET('/api/v1/jobs', {
  params: {
    query: { limit: 1, status: 'completed', metadata: { program: 'openapi-fetch' }, fields: 'metadata' },
  },
});
const { error: problem } = await api.GET('/api/v1/jobs/{job_id}', {
  params: { path: { job_id: UNKNOWN_JOB } },
});

const notification = (await webhook.body) as Schemas['JobNotification'];
webhook.close();

console.log(
  JSON.stringify({
    created: job_id,
    completed: completed.data?.status,
    streamed,
    outputType,
    listed: page?.jobs.map((job) => job.job_id),
    problem: problem?.code === 'job_not_found' ? [problem.status, problem.detail] : problem,
    metadata: [page?.jobs[0]?.metadata, notification.metadata],
    notified: notification.status === 'completed' ? notification.download_url : notification.reason,
  }),
);

async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<Schemas['JobStreamEvent']> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const bytes of body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(bytes, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = block.split('\n').map((line) => line.split(/: ?(.*)/s, 2) as [string, string]);
      const { event, id, data } = Object.fromEntries(fields) as Record<string, string>;
      if (event && data) yield { event, id, data: JSON.parse(data) } as Schemas['JobStreamEvent'];
    }
  }
}

/** Calls that must not compile. */
export function invalidCalls(): void {
  // @ts-expect-error -- neither file_size nor audio_url
  void api.POST('/api/v1/upload', { body: { output_type: 'txt' } });
  // @ts-expect-error -- both of them
  void api.POST('/api/v1/upload', { body: { file_size: 1, audio_url: 'https://example.com/a.mp3' } });
  // @ts-expect-error -- no such format
  void api.POST('/api/v1/upload', { body: { file_size: 1, output_type: 'mp3' } });
  // @ts-expect-error -- no such code
  if (problem?.code === 'no_such_code') throw new Error('Impossible.');
}
