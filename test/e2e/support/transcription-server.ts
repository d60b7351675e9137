import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const WORDS = ['Good', 'morning', 'the', 'schedule', 'of', 'every', 'harbour', 'changes', 'in', 'winter.'];
const WORD_SECONDS = 0.4;
/** Of a WAV of 16 kHz. */
const BYTES_PER_SECOND = 32_000;

/**
 * A server for OpenAI's `/v1/audio/transcriptions` that answers at once, with a word for every 0.4 seconds of sound.
 * Recognising speech would take most of the time of tests that are about other things.
 */
export class TranscriptionServer {
  private readonly server: Server;
  private released: Promise<void> = Promise.resolve();

  private constructor() {
    this.server = createServer((request, response) => void respond(request, response, () => this.released));
  }

  static async start(): Promise<TranscriptionServer> {
    const started = new TranscriptionServer();
    await new Promise<void>((resolve) => started.server.listen(0, '127.0.0.1', resolve));
    return started;
  }

  /** Transcriptions wait until the returned function is called. */
  hold(): () => void {
    let release = () => {};
    this.released = new Promise((resolve) => (release = resolve));
    return release;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  waitUntilReleased: () => Promise<void>,
): Promise<void> {
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) bytes += part.length;
  const isKnown = request.url?.endsWith('/audio/transcriptions') ?? false;
  if (isKnown) await waitUntilReleased();
  const body = isKnown ? transcribe(bytes / BYTES_PER_SECOND) : { error: 'not found' };
  response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** @param duration of the sound, seconds */
function transcribe(duration: number): object {
  const words = Array.from({ length: Math.floor(duration / WORD_SECONDS) }, (_, index) => ({
    word: WORDS[index % WORDS.length] ?? '',
    start: index * WORD_SECONDS,
    end: (index + 1) * WORD_SECONDS,
  }));
  return { language: 'english', text: words.map(({ word }) => word).join(' '), words };
}
