/** A caller's program with the client of `@hey-api/openapi-ts`. Prints its results as JSON. */
import { put, readArguments, receiveWebhook } from './common.js';
import { createClient, createConfig } from './generated/client/index.js';
import {
  completeUpload,
  createUpload,
  getJob,
  type JobEndedWebhookPayload,
  listJobs,
  streamJob,
} from './generated/index.js';

const UNKNOWN_JOB = '0193a5c0-0000-7000-8000-000000000000';
const { baseUrl, apiKey, audio } = await readArguments();
const client = createClient(createConfig({ baseUrl, auth: () => apiKey }));

const webhook = await receiveWebhook();
const { data: created, error } = await createUpload({
  client,
  body: {
    file_size: audio.length,
    output_type: 'txt',
    callback_url: webhook.url,
    metadata: { program: 'hey-api' },
  },
});
if (!created) throw new Error(error.code);
if (created.upload_url === null) throw new Error('There is no upload URL.');
await put(created.upload_url, created.content_type, audio);
const { job_id } = created;
const completed = await completeUpload({ client, body: { job_id } });

const streamed: string[] = [];
let outputType: 'json' | 'txt' | 'srt' | 'vtt' | 'docx' | 'pdf' | undefined;
const { stream } = await streamJob({
  client,
  path: { job_id },
  onSseEvent: ({ event }) => void streamed.push(event ?? ''),
});
for await (const data of stream) {
  if ('reason' in data) throw new Error(`${data.step}: ${data.reason}`);
  if ('output_type' in data) outputType = data.output_type;
  if ('total' in data && data.completed > data.total) throw new Error('Impossible.');
}

const { data: page } = await listJobs({
  client,
  query: { limit: 1, status: 'completed', metadata: { program: 'hey-api' }, fields: 'metadata' },
});
const { error: problem } = await getJob({ client, path: { job_id: UNKNOWN_JOB } });

const notification = (await webhook.body) as JobEndedWebhookPayload;
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

/** Calls that must not compile. */
export function invalidCalls(): void {
  // @ts-expect-error -- neither file_size nor audio_url
  void createUpload({ client, body: { output_type: 'txt' } });
  // @ts-expect-error -- both of them
  void createUpload({ client, body: { file_size: 1, audio_url: 'https://example.com/a.mp3' } });
  // @ts-expect-error -- no such format
  void createUpload({ client, body: { file_size: 1, output_type: 'mp3' } });
  // @ts-expect-error -- no such code
  if (problem?.code === 'no_such_code') throw new Error('Impossible.');
}
