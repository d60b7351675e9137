import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { SAMPLE_RATE, decodeWav } from '@app/speech';

/** One request as it was received. */
export interface ReceivedRequest {
  path: string;
  authorization: string | null;
  fields: Record<string, string[]>;
}

type Misbehaviour = (response: ServerResponse, socket: Socket) => void;

/** Long enough for a test to see the request open. */
const ANSWER_MS = 120;
const WINDOW = SAMPLE_RATE / 50;
const LOUD = 1000;
const NUMBERS = ['One', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/**
 * A server that speaks OpenAI's `/v1/audio/transcriptions` and transcribes each tone as its number, “One” first.
 * It replies as `next` configures, for that many requests.
 */
export class FakeTranscriptionServer {
  readonly asked: ReceivedRequest[] = [];
  readonly open = new Set<string>();
  most = 0;
  key: string | null = null;
  /** Lists that the responses of this server omit. */
  without: ('words' | 'segments')[] = [];
  /** Parts of forms that this server answers with 400. */
  refuses: (fields: ReceivedRequest['fields']) => boolean = () => false;
  /** The middle word of a chunk with three tones when the prompt lacks the term. */
  term: string | null = null;
  private readonly misbehaviours: Misbehaviour[] = [];
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<FakeTranscriptionServer> {
    const server = createServer();
    const started = new FakeTranscriptionServer(server);
    server.on('request', (request, response) => void started.take(request, response));
    server.on('connection', (socket) => {
      started.sockets.add(socket);
      socket.once('close', () => started.sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return started;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  next(...misbehaviours: Misbehaviour[]): void {
    this.misbehaviours.push(...misbehaviours);
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = `${request.method} ${request.url} ${this.asked.length}`;
    this.open.add(id);
    this.most = Math.max(this.most, this.open.size);
    response.once('close', () => this.open.delete(id));
    request.on('error', () => undefined);
    const body = await bodyOf(request).catch(() => null);
    if (body === null) return;
    const form = request.method === 'POST' ? await formOf(request, body) : new FormData();
    const fields = Object.fromEntries([...form.keys()].map((name) => [name, form.getAll(name).map(String)]));
    const authorization = request.headers.authorization ?? null;
    this.asked.push({ path: request.url ?? '', authorization, fields });
    const misbehaviour = this.misbehaviours.shift();
    if (misbehaviour) return misbehaviour(response, request.socket);
    if (this.key !== null && authorization !== `Bearer ${this.key}`)
      return sendJson(response, 401, { error: { message: `Incorrect API key provided: ${authorization}` } });
    if (request.url === '/v1/models') return sendJson(response, 200, { data: [{ id: 'tones' }] });
    if (request.url !== '/v1/audio/transcriptions') return sendJson(response, 404, { error: 'not found' });
    if (this.refuses(fields)) return sendJson(response, 400, { error: 'unsupported' });
    const file = form.get('file') as File;
    const transcription = this.hear(
      decodeWav(Buffer.from(await file.arrayBuffer())),
      fields.prompt?.[0] ?? '',
    );
    setTimeout(() => sendJson(response, 200, transcription), ANSWER_MS);
  }

  private hear(samples: Int16Array, prompt: string): object {
    const transcription = tonesIn(samples);
    const texts = transcription.map((_, index) => NUMBERS[index] ?? 'more');
    if (this.term !== null && transcription.length === 3)
      texts[1] = prompt.includes(this.term) ? this.term : 'wood';
    const text = texts.length > 0 ? `${texts.join(' ').replace('One ', 'One, ')}.` : '';
    const words = transcription.map(({ start, end }, index) => ({ word: texts[index], start, end }));
    const segments =
      transcription.length === 0
        ? []
        : [
            {
              id: 0,
              text: ` ${text}`,
              start: transcription[0]?.start,
              end: transcription.at(-1)?.end,
              avg_logprob: -0.1,
              no_speech_prob: 0.01,
              compression_ratio: 1,
            },
          ];
    return {
      task: 'transcribe',
      language: 'english',
      text,
      ...(!this.without.includes('words') && { words }),
      ...(!this.without.includes('segments') && { segments }),
    };
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

function tonesIn(samples: Int16Array): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  for (let at = 0; at < samples.length; at += WINDOW) {
    if (!samples.subarray(at, at + WINDOW).some((sample) => Math.abs(sample) > LOUD)) continue;
    const [start, end] = [at / SAMPLE_RATE, Math.min(at + WINDOW, samples.length) / SAMPLE_RATE];
    const last = found.at(-1);
    if (last && start - last.end < 0.1) last.end = end;
    else found.push({ start, end });
  }
  return found;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts);
}

async function formOf(request: IncomingMessage, body: Buffer): Promise<FormData> {
  const headers = { 'content-type': request.headers['content-type'] ?? '' };
  return new Response(new Uint8Array(body), { headers }).formData();
}
