/**
 * What the client promises, on any runtime. Plain JavaScript without imports, because a browser runs it too.
 *
 * @param {object} world
 * @param {typeof import('zephyr-client')} world.client the module
 * @param {string} world.baseUrl @param {string} world.apiKey
 * @param {Uint8Array} world.small a recording with the word "library" @param {Uint8Array} world.large one of several parts
 * @param {string} [world.smallPath] where the runtime has files
 * @param {string} world.smallUrl from which the service can fetch the small recording
 * @param {import('zephyr-client').UploadStateStore} world.state
 * @returns {Promise<{ name: string, error?: string }[]>}
 */
export async function runSuite({ client, baseUrl, apiKey, small, large, smallPath, smallUrl, state }) {
  const zephyr = new client.Zephyr({ baseUrl, apiKey, timeoutMs: 120_000 });
  const results = [];
  const check = async (name, body) => {
    try {
      await body();
      results.push({ name });
    } catch (error) {
      results.push({ name, error: String(error?.stack ?? error) });
    }
  };
  const assert = (condition, message) => {
    if (!condition) throw new Error(`failed: ${message}`);
  };
  const rejects = async (promise) => {
    try {
      await promise;
    } catch (error) {
      return error;
    }
    throw new Error('failed: it was not refused');
  };
  const marker = `suite-${crypto.randomUUID()}`;
  const metadata = { marker };
  let jobId = '';

  await check('transcribes bytes to text, with progress', async () => {
    const phases = [];
    const { job, transcript } = await zephyr.transcribe(small, {
      output_type: 'txt',
      metadata,
      onProgress: ({ phase }) => phases.push(phase),
    });
    jobId = job.job_id;
    assert(/library/i.test(transcript), transcript);
    assert(phases.includes('upload'), phases);
  });
  await check('transcribes a Blob to a document', async () => {
    const { transcript } = await zephyr.transcribe(new Blob([small]), { metadata });
    assert(/library/i.test(transcript.text) && transcript.segments.length > 0, JSON.stringify(transcript));
  });
  await check('sends a large stream in parts, with parts that are continued by their state', async () => {
    const abort = new AbortController();
    const stop = {
      signal: abort.signal,
      onProgress: ({ uploadedBytes }) => uploadedBytes > 0 && abort.abort(),
    };
    const options = { metadata, partSize: 5 * 2 ** 20, concurrency: 1, fileSize: large.length, state };
    const open = () => new Blob([large]).stream();
    const error = await rejects(zephyr.submit(open(), { ...options, ...stop }));
    assert(error.name === 'AbortError', error);
    const uploaded = [];
    const { job_id: id } = await zephyr.submit(open(), {
      ...options,
      onProgress: ({ uploadedBytes }) => uploaded.push(uploadedBytes),
    });
    assert(uploaded[0] === 5 * 2 ** 20, uploaded);
    assert((await zephyr.submit(open(), { ...options })).job_id === id, 'one job');
    await state.clear();
    const job = await zephyr.jobs.wait(id);
    assert(job.status === 'completed', JSON.stringify(job));
    const document = await zephyr.transcripts.get(id);
    assert(
      document.warnings.every(({ code }) => code !== 'upload_smaller_than_declared'),
      document.warnings,
    );
  });
  await check('sends a stream of unknown length that is longer than a part', async () => {
    const progress = [];
    const { job, transcript } = await zephyr.transcribe(new Blob([large]).stream(), {
      metadata,
      partSize: 5 * 2 ** 20,
      onProgress: (step) => step.phase === 'upload' && progress.push(step),
    });
    assert(progress.at(-1).uploadedBytes === large.length, JSON.stringify(progress));
    assert(
      progress.every(({ totalBytes }) => totalBytes === null),
      JSON.stringify(progress),
    );
    assert(Math.round(job.duration_seconds) === Math.round(large.length / 32_000), job.duration_seconds);
    assert(/library/i.test(transcript.text), transcript.text);
    const codes = transcript.warnings.map(({ code }) => code);
    assert(codes.includes('upload_smaller_than_declared'), JSON.stringify(codes));
  });
  await check('transcribes an address, from which the service fetches the audio', async () => {
    for (const address of [smallUrl, new URL(smallUrl)]) {
      const { transcript } = await zephyr.transcribe(address, { output_type: 'txt', metadata });
      assert(/library/i.test(transcript), transcript);
    }
  });
  await check(
    smallPath === undefined ? 'refuses a path where there are no files' : 'sends a file by its path',
    async () => {
      if (smallPath === undefined)
        return assert((await rejects(zephyr.submit('a.wav'))) instanceof TypeError, 'TypeError');
      const { job_id: id } = await zephyr.submit(smallPath, { metadata });
      assert((await zephyr.jobs.wait(id)).status === 'completed', id);
    },
  );
  await check('streams the events of a job that has ended', async () => {
    const events = [];
    for await (const { event } of zephyr.jobs.stream(jobId)) events.push(event);
    assert(events.at(-1) === 'completed', events);
  });
  await check('lists each job once, page after page', async () => {
    const ids = [];
    for await (const { job_id: id } of zephyr.jobs.list({ metadata, limit: 2 })) ids.push(id);
    const expected = smallPath === undefined ? 6 : 7;
    assert(ids.length === expected && new Set(ids).size === expected && ids.includes(jobId), ids);
    const pages = [];
    for await (const { jobs } of zephyr.jobs.list({ metadata, limit: 2 }).pages()) pages.push(jobs);
    const sizes = pages.map((jobs) => jobs.length);
    assert(sizes.length >= expected / 2 && Math.max(...sizes) === 2, sizes);
    assert(String(pages.flat().map(({ job_id: id }) => id)) === String(ids), JSON.stringify(pages));
    const first = await zephyr.jobs.list({ metadata, limit: 2 }).firstPage();
    assert(first.jobs[1].job_id === ids[1], JSON.stringify(first));
  });
  await check('renders another format, and names speakers', async () => {
    assert((await zephyr.transcripts.get(jobId, { format: 'vtt' })).startsWith('WEBVTT'), 'vtt');
    const pdf = await zephyr.transcripts.get(jobId, { format: 'pdf' });
    assert(pdf instanceof Uint8Array && pdf[0] === 0x25, 'pdf');
    const { speakers } = await zephyr.speakers.rename(jobId, { SPEAKER_1: 'Ada' });
    assert(speakers.SPEAKER_1 === 'Ada', JSON.stringify(speakers));
  });
  await check('makes one job for one key', async () => {
    const create = () => zephyr.submit(small, { idempotencyKey: marker });
    const [first, second] = await Promise.all([create(), create()]);
    assert(first.job_id === second.job_id, 'same job');
    await zephyr.jobs.cancel(first.job_id);
  });
  await check('deletes a job', async () => {
    const { job_id: id } = await zephyr.submit(small);
    await zephyr.jobs.delete(id);
    assert((await rejects(zephyr.jobs.get(id))) instanceof client.NotFoundError, '404');
    assert((await rejects(zephyr.jobs.delete(id))) instanceof client.NotFoundError, '404');
  });
  await check('throws errors with code, status and request_id', async () => {
    const unknown = await rejects(zephyr.jobs.get(crypto.randomUUID()));
    assert(unknown instanceof client.NotFoundError && unknown.code === 'job_not_found', unknown);
    assert(unknown.status === 404 && /^[\w-]{8,}$/.test(unknown.request_id), unknown.request_id);
    const wrong = await rejects(zephyr.submit(small, { output_type: 'exe' }));
    assert(wrong instanceof client.ValidationError && wrong.errors[0].field === 'output_type', wrong);
    const other = new client.Zephyr({ baseUrl, apiKey: 'wrong' });
    assert((await rejects(other.account())) instanceof client.AuthenticationError, '401');
    const failed = await rejects(zephyr.transcribe(new Uint8Array(2000)));
    assert(failed instanceof client.JobFailedError && failed.job.failed_stage === 'preprocess', failed);
  });
  await check('verifies webhooks', async () => {
    const secret = 'whsec_1';
    const body = new TextEncoder().encode('{"job_id":"j","status":"failed","step":"upload","reason":"-"}');
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, [
      'sign',
    ]);
    const hex = [...new Uint8Array(await crypto.subtle.sign('HMAC', key, body))]
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('');
    const headers = { 'X-SVC-Signature': `sha256=${hex}`, 'X-SVC-Delivery': 'd' };
    assert((await zephyr.webhooks.unwrap(body, headers, secret)).event === 'failed', 'event');
    assert(
      (await rejects(zephyr.webhooks.unwrap(body, headers, 'other'))) instanceof
        client.WebhookVerificationError,
      '',
    );
  });
  await check('verifies webhooks with a time, by the headers of Standard Webhooks', async () => {
    const secret = `whsec_${btoa('0123456789abcdef0123456789abcdef')}`;
    const raw = new TextEncoder().encode('0123456789abcdef0123456789abcdef');
    const body = '{"job_id":"j","status":"completed","download_url":null}';
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    const key = await crypto.subtle.importKey('raw', raw, algorithm, false, ['sign']);
    const createHeaders = async (secondsAgo) => {
      const timestamp = String(Math.floor(Date.now() / 1000) - secondsAgo);
      const signed = new TextEncoder().encode(`d.${timestamp}.${body}`);
      const signature = btoa(
        String.fromCharCode(...new Uint8Array(await crypto.subtle.sign('HMAC', key, signed))),
      );
      return { 'webhook-id': 'd', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
    };
    const unwrap = (headers, options) => zephyr.webhooks.unwrap(body, headers, secret, options);
    const headers = await createHeaders(0);
    const { event, deliveryId } = await unwrap(headers, { requireTimestamp: true });
    assert(event === 'completed' && deliveryId === 'd', event);
    const refusal = async (given, options) => {
      const error = await rejects(unwrap(given, options));
      assert(error instanceof client.WebhookVerificationError, error);
      return error.failedCheck;
    };
    assert((await refusal({ ...headers, 'webhook-id': 'e' })) === 'signature', 'another id');
    const late = await createHeaders(400);
    assert((await refusal(late)) === 'timestamp', 'too old');
    assert((await refusal(await createHeaders(-400))) === 'timestamp', 'from the future');
    assert((await unwrap(late, { toleranceSeconds: 500 })).event === 'completed', 'tolerance');
    assert(
      (await refusal({ 'x-svc-signature': 'sha256=00' }, { requireTimestamp: true })) === 'headers',
      'no time',
    );
  });
  return results;
}
