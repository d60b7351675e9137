/**
 * What the client promises, on any runtime. Plain JavaScript without imports, because a browser runs it too.
 *
 * @param {object} world
 * @param {typeof import('zephyr-client')} world.client the module
 * @param {string} world.baseUrl @param {string} world.apiKey
 * @param {Uint8Array} world.small a recording with the word "library" @param {Uint8Array} world.large one of several parts
 * @param {string} [world.smallPath] where the runtime has files
 * @param {import('zephyr-client').UploadStateStore} world.state
 * @returns {Promise<{ name: string, error?: string }[]>}
 */
export async function runSuite({ client, baseUrl, apiKey, small, large, smallPath, state }) {
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
    const expected = smallPath === undefined ? 3 : 4;
    assert(ids.length === expected && new Set(ids).size === expected && ids.includes(jobId), ids);
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
  return results;
}
