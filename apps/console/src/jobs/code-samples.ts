import type { JobOptionsBody } from './job-options.ts';

export const JOB_CODE_SAMPLE_VARIANTS = ['curl', 'typescript', 'python', 'openai'] as const;

export type JobCodeSampleVariant = (typeof JOB_CODE_SAMPLE_VARIANTS)[number];

export type CodeSampleAudioSource =
  { kind: 'file'; name: string; size: number | null } | { kind: 'url'; url: string };

export interface CodeSampleRequest {
  /** URL of the service, with `/` at the end. */
  baseUrl: string;
  /** Null reads it from the environment variable `ZEPHYR_API_KEY`. */
  apiKey: string | null;
  source: CodeSampleAudioSource;
  body: JobOptionsBody;
}

/** The program that makes the same request with a key and saves the transcript. */
export function renderCodeSample(variant: JobCodeSampleVariant, request: CodeSampleRequest): string {
  return { curl: renderCurl, typescript: renderTypeScript, python: renderPython, openai: renderOpenAi }[
    variant
  ](request);
}

function renderCurl({ baseUrl, apiKey, source, body }: CodeSampleRequest): string {
  const isFile = source.kind === 'file';
  const create = toJson(isFile ? { ...body, file_size: 'FILE_SIZE' } : { ...body, audio_url: source.url });
  return [
    '# Needs curl and jq.',
    `API=${quoteShell(`${baseUrl}api/v1`)}`,
    `KEY=${apiKey === null ? '"$ZEPHYR_API_KEY"' : quoteShell(apiKey)}`,
    ...(isFile ? [`FILE=${quoteShell(source.name)}`] : []),
    `OPTIONS=${quoteShell(create.replace('"FILE_SIZE"', 'null'))}`,
    ...(isFile
      ? [`OPTIONS=$(jq --argjson size "$(wc -c < "$FILE")" '.file_size = $size' <<< "$OPTIONS")`]
      : []),
    '',
    'JOB=$(curl -sS --fail-with-body "$API/upload" -H "X-API-Key: $KEY" \\',
    `  -H 'Content-Type: application/json' -H "Idempotency-Key: $(date +%s)-$RANDOM" --data "$OPTIONS") &&`,
    `ID=$(jq -r .job_id <<< "$JOB") &&`,
    ...(isFile
      ? [
          `curl -sS --fail-with-body --globoff -T "$FILE" -H "Content-Type: $(jq -r .content_type <<< "$JOB")" \\`,
          `  "$(jq -r .upload_url <<< "$JOB")" &&`,
          'curl -sS --fail-with-body "$API/upload/complete" -H "X-API-Key: $KEY" \\',
          `  -H 'Content-Type: application/json' --data "{\\"job_id\\": \\"$ID\\"}" &&`,
        ]
      : []),
    'curl -sSN --fail-with-body "$API/jobs/$ID/stream" -H "X-API-Key: $KEY" &&',
    `curl -sS --fail-with-body "$API/jobs/$ID/transcript" -H "X-API-Key: $KEY" -o transcript.${body.output_type} ||`,
    'echo "Failed: $JOB" >&2',
  ].join('\n');
}

function renderTypeScript({ baseUrl, apiKey, source, body }: CodeSampleRequest): string {
  const isFile = source.kind === 'file';
  return [
    `import { ${isFile ? 'readFile, ' : ''}writeFile } from 'node:fs/promises';`,
    '',
    `const api = ${JSON.stringify(`${baseUrl}api/v1`)};`,
    `const key = ${apiKey === null ? "process.env.ZEPHYR_API_KEY ?? ''" : JSON.stringify(apiKey)};`,
    ...(isFile ? [`const audio = await readFile(${JSON.stringify(source.name)});`] : []),
    `const options = ${toJson(isFile ? body : { ...body, audio_url: source.url })};`,
    '',
    'async function send(path: string, body?: object): Promise<Response> {',
    "  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json', 'Idempotency-Key': crypto.randomUUID() };",
    "  const request = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };",
    '  const response = await fetch(`${api}/${path}`, request);',
    '  if (!response.ok) throw new Error(await response.text());',
    '  return response;',
    '}',
    '',
    `const job = await (await send('upload', ${isFile ? '{ ...options, file_size: audio.length }' : 'options'})).json();`,
    ...(isFile
      ? [
          "const stored = await fetch(job.upload_url, { method: 'PUT', headers: { 'Content-Type': job.content_type }, body: audio });",
          'if (!stored.ok) throw new Error(await stored.text());',
          "await send('upload/complete', { job_id: job.job_id });",
        ]
      : []),
    '// The stream of events ends with the job.',
    'console.log(await (await send(`jobs/${job.job_id}/stream`)).text());',
    'const transcript = await send(`jobs/${job.job_id}/transcript`);',
    `await writeFile('transcript.${body.output_type}', Buffer.from(await transcript.arrayBuffer()));`,
  ].join('\n');
}

function renderPython({ baseUrl, apiKey, source, body }: CodeSampleRequest): string {
  const isFile = source.kind === 'file';
  return [
    'import json, os, urllib.request, uuid',
    '',
    `API = ${JSON.stringify(`${baseUrl}api/v1`)}`,
    `KEY = ${apiKey === null ? 'os.environ["ZEPHYR_API_KEY"]' : JSON.stringify(apiKey)}`,
    `OPTIONS = json.loads(${quotePython(toJson(isFile ? body : { ...body, audio_url: source.url }))})`,
    '',
    'def send(path, body=None):',
    '    headers = {"X-API-Key": KEY, "Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())}',
    '    data = None if body is None else json.dumps(body).encode()',
    '    return urllib.request.urlopen(urllib.request.Request(f"{API}/{path}", data, headers))',
    '',
    ...(isFile
      ? [
          `with open(${JSON.stringify(source.name)}, "rb") as audio:`,
          '    size = os.fstat(audio.fileno()).st_size',
          '    job = json.load(send("upload", {**OPTIONS, "file_size": size}))',
          '    headers = {"Content-Type": job["content_type"], "Content-Length": str(size)}',
          '    urllib.request.urlopen(urllib.request.Request(job["upload_url"], audio, headers, method="PUT"))',
          'send("upload/complete", {"job_id": job["job_id"]})',
        ]
      : ['job = json.load(send("upload", OPTIONS))']),
    '# The stream of events ends with the job.',
    'print(send(f"jobs/{job[\'job_id\']}/stream").read().decode())',
    `with open("transcript.${body.output_type}", "wb") as file:`,
    '    file.write(send(f"jobs/{job[\'job_id\']}/transcript").read())',
  ].join('\n');
}

/** Options that the interface of OpenAI has no parameter for have their default there. */
function renderOpenAi({ baseUrl, apiKey, source }: CodeSampleRequest): string {
  const name = source.kind === 'file' ? source.name : 'audio.mp3';
  return [
    ...(apiKey === null ? ['import os', ''] : []),
    'from openai import OpenAI',
    '',
    `client = OpenAI(base_url=${JSON.stringify(`${baseUrl}v1`)}, max_retries=0,`,
    `                api_key=${apiKey === null ? 'os.environ["ZEPHYR_API_KEY"]' : JSON.stringify(apiKey)})`,
    `with open(${JSON.stringify(name)}, "rb") as audio:`,
    '    print(client.audio.transcriptions.create(file=audio, model="zephyr").text)',
  ].join('\n');
}

function toJson(value: object): string {
  return JSON.stringify(value, null, 2);
}

function quoteShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** JSON as a Python text: of several lines, with the same escapes. */
function quotePython(json: string): string {
  return `r'''${json.replaceAll("'", String.raw`\u0027`)}'''`;
}
