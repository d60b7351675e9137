import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SAMPLE_RATE, decodeWav } from '@app/speech';

export interface ReceivedRequest {
  path: string;
  authorization: string | null;
  fields: Record<string, string[]>;
}

export interface HeardWord {
  word: string;
  start: number;
  end: number;
  /** For servers that tell it; a high one if absent. */
  probability?: number;
}

/** What a server finds in a request. */
export interface HeardRequest {
  fields: ReceivedRequest['fields'];
  /** Such as `audio/flac`. */
  contentType: string;
  /** With punctuation. */
  text: string;
  /** Without punctuation; seconds. */
  words: HeardWord[];
  /** Seconds. */
  duration: number;
}

/** How a product answers. */
export type Responder = (heard: HeardRequest) => { status: number; body: unknown };

type Misbehaviour = (response: ServerResponse, socket: Socket) => void;

/** Long enough for a test to observe the open request. */
const RESPONSE_DELAY_MS = 120;
const WINDOW = SAMPLE_RATE / 50;
const MIN_TONE_AMPLITUDE = 1000;
const NUMBERS = ['One', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/**
 * A server for OpenAI's `/v1/audio/transcriptions` that transcribes each tone as its number, “One” first. The next
 * requests can be made to fail with `queueMisbehaviours`.
 */
export class FakeTranscriptionServer {
  readonly requests: ReceivedRequest[] = [];
  readonly openRequests = new Set<string>();
  maxOpenRequests = 0;
  apiKey: string | null = null;
  /** Lists that the responses of this server omit. */
  omittedLists: ('words' | 'segments')[] = [];
  /** Whether the server responds to a form with 400. */
  isUnsupported: (fields: ReceivedRequest['fields']) => boolean = () => false;
  /** The middle word of a chunk with three tones if the prompt contains it; otherwise “wood” is recognized. */
  vocabularyTerm: string | null = null;
  /** The fields in which this server looks for the term. */
  vocabularyFields = ['prompt'];
  /** Answers like another product. */
  responder: Responder | null = null;
  private readonly misbehaviours: Misbehaviour[] = [];
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<FakeTranscriptionServer> {
    const server = createServer();
    const fake = new FakeTranscriptionServer(server);
    server.on('request', (request, response) => void fake.handleRequest(request, response));
    server.on('connection', (socket) => {
      fake.sockets.add(socket);
      socket.once('close', () => fake.sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  queueMisbehaviours(...misbehaviours: Misbehaviour[]): void {
    this.misbehaviours.push(...misbehaviours);
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = `${request.method} ${request.url} ${this.requests.length}`;
    this.openRequests.add(id);
    this.maxOpenRequests = Math.max(this.maxOpenRequests, this.openRequests.size);
    // A client that is killed while it sends must not leave the misbehaviour to the next request.
    const misbehaviour = this.misbehaviours.shift();
    response.once('close', () => this.openRequests.delete(id));
    request.on('error', () => undefined);
    const body = await readBody(request).catch(() => null);
    if (body === null) return;
    const form = request.method === 'POST' ? await parseForm(request, body) : new FormData();
    const fields = Object.fromEntries([...form.keys()].map((name) => [name, form.getAll(name).map(String)]));
    const authorization = request.headers.authorization ?? null;
    this.requests.push({ path: request.url ?? '', authorization, fields });
    if (misbehaviour) return misbehaviour(response, request.socket);
    if (this.apiKey !== null && authorization !== `Bearer ${this.apiKey}`)
      return sendJson(response, 401, { error: { message: `Incorrect API key provided: ${authorization}` } });
    const [route] = request.url?.split('?') ?? [];
    if (route === '/v1/models') return sendJson(response, 200, { data: [{ id: 'tones' }] });
    if (route !== '/v1/audio/transcriptions') return sendJson(response, 404, { error: 'not found' });
    if (this.isUnsupported(fields)) return sendJson(response, 400, { error: 'unsupported' });
    const file = form.get('file');
    if (!(file instanceof File)) return sendJson(response, 400, { error: 'file is missing' });
    const samples = await decodeUpload(Buffer.from(await file.arrayBuffer()));
    const heard = { ...this.hear(samples, fields), fields, contentType: file.type };
    const { status, body: transcription } = this.responder?.(heard) ?? this.respond(heard);
    setTimeout(() => sendJson(response, status, transcription), RESPONSE_DELAY_MS);
  }

  private hear(samples: Int16Array, fields: ReceivedRequest['fields']) {
    const tones = findTones(samples);
    const texts = tones.map((_, index) => NUMBERS[index] ?? 'more');
    const vocabulary = this.vocabularyFields.map((name) => fields[name]?.[0] ?? '').join();
    if (this.vocabularyTerm !== null && tones.length === 3)
      texts[1] = vocabulary.includes(this.vocabularyTerm) ? this.vocabularyTerm : 'wood';
    return {
      text: texts.length > 0 ? `${texts.join(' ').replace('One ', 'One, ')}.` : '',
      words: tones.map(({ start, end }, index) => ({ word: texts[index] ?? '', start, end })),
      duration: samples.length / SAMPLE_RATE,
    };
  }

  private respond({ text, words }: HeardRequest): { status: number; body: object } {
    const [first, last] = [words[0], words.at(-1)];
    const segment = {
      ...{ id: 0, text: ` ${text}`, start: first?.start, end: last?.end },
      ...{ avg_logprob: -0.1, no_speech_prob: 0.01, compression_ratio: 1 },
    };
    const body = {
      task: 'transcribe',
      language: 'english',
      text,
      ...(!this.omittedLists.includes('words') && { words }),
      ...(!this.omittedLists.includes('segments') && { segments: first ? [segment] : [] }),
    };
    return { status: 200, body };
  }
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

/** Tones of half a second, `count` of them, with pauses of 0.4 s around. Samples at 16 kHz. */
export function generateTones(count: number): Int16Array {
  const [tone, pause] = [SAMPLE_RATE * 0.5, SAMPLE_RATE * 0.4];
  const samples = new Int16Array(pause + count * (tone + pause));
  for (let at = 0; at < count; at += 1)
    for (let i = 0; i < tone; i += 1)
      samples[pause + at * (tone + pause) + i] = 8000 * Math.sin((i * 2 * Math.PI * 440) / SAMPLE_RATE);
  return samples;
}

function findTones(samples: Int16Array): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  for (let at = 0; at < samples.length; at += WINDOW) {
    if (!samples.subarray(at, at + WINDOW).some((sample) => Math.abs(sample) > MIN_TONE_AMPLITUDE)) continue;
    const [start, end] = [at / SAMPLE_RATE, Math.min(at + WINDOW, samples.length) / SAMPLE_RATE];
    const last = found.at(-1);
    if (last && start - last.end < 0.1) last.end = end;
    else found.push({ start, end });
  }
  return found;
}

/** WAV, or FLAC as far as ffmpeg reads it. */
async function decodeUpload(bytes: Buffer): Promise<Int16Array> {
  if (bytes.toString('latin1', 0, 4) !== 'fLaC') return decodeWav(bytes);
  const ffmpeg = spawn('ffmpeg', ['-v', 'error', '-i', 'pipe:0', '-f', 'wav', '-bitexact', 'pipe:1']);
  ffmpeg.stdin.on('error', () => undefined);
  ffmpeg.stdin.end(bytes);
  return decodeWav(await buffer(ffmpeg.stdout));
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts);
}

async function parseForm(request: IncomingMessage, body: Buffer): Promise<FormData> {
  const headers = { 'content-type': request.headers['content-type'] ?? '' };
  return new Response(new Uint8Array(body), { headers }).formData();
}
