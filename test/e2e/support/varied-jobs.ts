import { type Bytes, dialogueWav, silentWav, synthesizeSpeech } from './audio.js';
import { type Client, type CreatedJob, expectStatus } from './client.js';
import { type CreatedMultipart, createMultipart, type Part, putPart } from './multipart.js';
import type { WebhookReceiver } from './webhook-receiver.js';
import type { Account } from './running-service.js';
import type { Service } from './service.js';

const MIB = 2 ** 20;

export interface VariedJobs {
  account: Account;
  client: Client;
  /** The secret of the account's webhooks. */
  signingSecret: string;
  /** Completed, each in another format. */
  completed: string[];
  /** Completed, with names of speakers. */
  withSpeakerNames: string;
  failed: string;
  cancelled: string;
  /** Its bytes were uploaded, without the complete call. */
  uploaded: CreatedJob;
  /** One of two parts was uploaded. */
  multipart: CreatedMultipart;
  part: Part;
  /** Sends a request with an idempotency key; `repeatedResponse` is its first response. */
  repeatRequest: () => Promise<CreatedJob>;
  repeatedResponse: CreatedJob;
}

/** Jobs in every state that rows can have, of one account, with webhooks for those that ended. */
export async function createVariedJobs(service: Service, receiver: WebhookReceiver): Promise<VariedJobs> {
  const account = await service.openAccount(10_000);
  const client = await service.client(account.api_key);
  const { signing_secret: signingSecret } = await service.adminJson<{ signing_secret: string }>(
    ...['webhooks', 'secret', 'reveal', '--account', account.account_id, '--json'],
  );
  const callback_url = `${receiver.url}/hook`;
  const speech = await synthesizeSpeech('Good morning.');
  const runJob = async (bytes: Bytes, options: Record<string, unknown> = {}) => {
    const { job_id } = await client.submit(bytes, { callback_url, ...options });
    await client.events(job_id);
    return job_id;
  };
  const completed = [];
  for (const output_type of ['json', 'txt', 'srt']) completed.push(await runJob(speech, { output_type }));
  const withSpeakerNames = await runJob(await dialogueWav());
  const speakerNames = { body: JSON.stringify({ speakers: { SPEAKER_1: 'Ada' } }) };
  const headers = { 'Content-Type': 'application/json' };
  expectStatus(
    200,
    await client.send('PATCH', `/api/v1/jobs/${withSpeakerNames}/speakers`, { ...speakerNames, headers }),
  );
  const { job_id: cancelled } = await client.upload(speech, { callback_url });
  await client.post('/jobs/cancel', { job_id: cancelled });
  const multipart = await createMultipart(client, { file_size: 6 * MIB, part_size: 5 * MIB });
  const repeatRequest = async () =>
    expectStatus<CreatedJob>(
      200,
      await client.send('POST', '/api/v1/upload', {
        body: JSON.stringify({ file_size: 7 }),
        headers: { ...headers, 'Idempotency-Key': 'a request that may be repeated' },
      }),
    );
  return {
    ...{
      account,
      client,
      signingSecret,
      completed,
      withSpeakerNames,
      cancelled,
      multipart,
      repeatRequest,
    },
    failed: await runJob(new Uint8Array(20_000).fill(0x41)),
    uploaded: await client.upload(silentWav(1)),
    part: await putPart(client, multipart, 1, new Uint8Array(5 * MIB)),
    repeatedResponse: await repeatRequest(),
  };
}
