/** What stands before the routes. Markdown. */
export const GUIDE = `Send a recording, watch it being transcribed, fetch a transcript with a time for every word and a name for every voice. Bodies are JSON unless stated otherwise; all routes lie under \`/api/v1\`, those for OpenAI’s clients under \`/v1\`.

### Authenticate

Every request carries your key in the header \`X-API-Key\`; below \`/v1\` it may also be the \`Authorization: Bearer\` one. A key that is missing, malformed or revoked is answered 401. Keys belong to an organisation; a job of another organisation is answered exactly like one that never existed. Presigned upload and download addresses carry their own authorization: send no key there.

### From a file to a transcript

\`\`\`sh
API=http://127.0.0.1:3000/api/v1
KEY=…

# 1. Create a job and learn where its audio goes.
curl -s $API/upload -H "X-API-Key: $KEY" -H 'Content-Type: application/json' \\
  -d '{"file_size": 482133, "output_type": "txt"}'

# 2. PUT the bytes to upload_url, with the content_type of the answer.
curl -s -T talk.mp3 -H 'Content-Type: application/octet-stream' "$UPLOAD_URL"

# 3. Say that they are complete.
curl -s $API/upload/complete -H "X-API-Key: $KEY" -H 'Content-Type: application/json' \\
  -d '{"job_id": "'$JOB_ID'"}'

# 4. Watch. The stream ends with the job.
curl -sN $API/jobs/$JOB_ID/stream -H "X-API-Key: $KEY"

# 5. Read what download_url holds.
curl -s "$DOWNLOAD_URL"
\`\`\`

Audio that lies at an address needs no upload: give \`audio_url\` in step 1 and go on with step 4. Large files go up in parts. Or do everything in one request:

\`\`\`sh
curl -sN -X POST -T talk.mp3 "$API/transcribe?output_type=txt" -H "X-API-Key: $KEY"
\`\`\`

Tools that were made for OpenAI’s transcription interface need another base URL, and nothing else:

\`\`\`sh
OPENAI_BASE_URL=http://127.0.0.1:3000/v1
curl -s $OPENAI_BASE_URL/audio/transcriptions -H "Authorization: Bearer $KEY" -F file=@talk.mp3 -F model=whisper-1
\`\`\`

A job is \`processing\` until it is \`completed\` or \`failed\`; these two never change. Uploaded audio is deleted when the job has ended.

### Errors

A refusal is \`application/problem+json\` with a stable \`code\`; a 422 names the fields in \`errors\`. Below \`/v1\` it is what OpenAI’s clients read: \`error\`, with a \`code\` as stable, and a 400 names the field in \`param\`. 500 is a defect of the service; 503 says that a part of it is away, or that it has its hands full, and carries \`Retry-After\`.

### Rate limits

Counted per key and route over the last 60 seconds. \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` tell where you stand; over the limit the answer is 429 with \`Retry-After\`. Back off, and try again.

### Limits

A single upload takes 5 GiB, a multipart upload 10 GiB in at most 10,000 parts, the one-shot route 200 MB, unless the operator has set other limits. Presigned upload addresses live for the \`expires_in\` of the answer.`;

export const TAGS = [
  { name: 'uploads', description: 'Create a job and bring its audio.' },
  { name: 'transcribe', description: 'Everything in one request.' },
  { name: 'jobs', description: 'Watch, list, cancel.' },
  {
    name: 'openai',
    description:
      'For tools made for OpenAI’s transcription interface: change their base URL, keep them as they are. The same jobs, keys, credit and limits.',
  },
  { name: 'webhooks', description: 'Be told of the end of a job.' },
  { name: 'service', description: 'The service itself. No key is needed.' },
];
