export const API_DESCRIPTION_MARKDOWN = `Send a recording, follow its progress, and fetch a transcript with word times and speakers. Bodies are JSON unless stated otherwise. All routes are below \`/api/v1\`, those for OpenAI’s clients below \`/v1\`.

### Authenticate

Send your key in the header \`X-API-Key\` with every request; below \`/v1\`, \`Authorization: Bearer\` works too. A missing, malformed or revoked key is a 401. Keys belong to an account; a job of another account is a 404, exactly like one that never existed. Signed upload and download URLs carry their own authorization: send no key to them.

### From a file to a transcript

\`\`\`sh
API=http://127.0.0.1:3000/api/v1
KEY=…

# 1. Create a job. The response has job_id, upload_url and content_type.
curl -s $API/upload -H "X-API-Key: $KEY" -H 'Content-Type: application/json' \\
  -d '{"file_size": 482133, "output_type": "txt"}'

# 2. PUT the bytes to upload_url, with the content_type of the response.
curl -s -T talk.mp3 -H 'Content-Type: application/octet-stream' "$UPLOAD_URL"

# 3. Complete the upload. This queues the job.
curl -s $API/upload/complete -H "X-API-Key: $KEY" -H 'Content-Type: application/json' \\
  -d '{"job_id": "'$JOB_ID'"}'

# 4. Follow the job. The stream ends when the job has ended.
curl -sN $API/jobs/$JOB_ID/stream -H "X-API-Key: $KEY"

# 5. Download the transcript.
curl -s "$DOWNLOAD_URL"
\`\`\`

Audio on a server needs no upload: send \`audio_url\` in step 1 and continue with step 4. Upload large files in parts. Or do everything in one request:

\`\`\`sh
curl -sN -X POST -T talk.mp3 "$API/transcribe?output_type=txt" -H "X-API-Key: $KEY"
\`\`\`

Tools that were made for OpenAI’s transcription interface only need another base URL:

\`\`\`sh
OPENAI_BASE_URL=http://127.0.0.1:3000/v1
curl -s $OPENAI_BASE_URL/audio/transcriptions -H "Authorization: Bearer $KEY" \\
  -F file=@talk.mp3 -F model=whisper-1
\`\`\`

A job is \`processing\` until it is \`completed\` or \`failed\`; these two never change. Uploaded audio is deleted when the job has ended.

### Errors

An error is \`application/problem+json\` with a stable \`code\`; a 422 names the fields in \`errors\`. Below \`/v1\` an error has OpenAI’s form: \`error\` with a stable \`code\`, and a 400 names the field in \`param\`. Retry 409, 429 and 503 after \`Retry-After\`, and 408, 500 and lost connections after 1, 2, 4, … seconds. After a 500, a 503 or a lost connection, retry a create only with an \`Idempotency-Key\`, because the job may exist. 500 is a defect of the service; 503 means that a dependency is unavailable or that the service is at capacity.

### Rate limits

Requests are counted per key and route over the last 60 seconds. \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` report the current state. Over the limit, the response is a 429 with \`Retry-After\`.

### Limits

A single upload takes 5 GiB, a multipart upload 10 GiB in at most 10,000 parts, one-request transcription (\`POST /api/v1/transcribe\`) 200 MB, unless the operator has set other limits. \`GET /api/v1/account\` returns them. Signed upload URLs expire after \`expires_in\` seconds.`;

export const API_TAGS = [
  { name: 'uploads', description: 'Create a job and upload its audio.' },
  { name: 'transcribe', description: 'Everything in one request.' },
  { name: 'jobs', description: 'Watch, list, cancel.' },
  { name: 'account', description: 'Balance, limits and usage.' },
  {
    name: 'openai',
    description:
      'For tools made for OpenAI’s transcription interface: change their base URL, keep them as they are. The same jobs, keys, credit and limits.',
  },
  { name: 'webhooks', description: 'Notifications at the end of a job.' },
  { name: 'service', description: 'The service itself. No key is needed.' },
];
