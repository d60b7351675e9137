import { once } from 'node:events';
import { createServer } from 'node:http';

/** Words that it says it heard in a second. */
const RATE = 2.7;
const WORDS = 'we talk about the weather in the north and then somebody asks what comes after that'.split(
  ' ',
);
/** Bytes of a second of sound in a chunk. */
const SECOND = 32_000;

/**
 * A server of OpenAI's interface that listens to nothing: it answers at once with as many words as people say in the
 * time of the chunk. What a job then takes is everything but the recognition.
 */
export class InstantEngine {
  /** @param {import('node:http').Server} server */
  constructor(server) {
    this.server = server;
  }

  static async start() {
    const server = createServer((request, response) => void answer(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new InstantEngine(server);
  }

  /** The configuration of a service that uses it. */
  get env() {
    const { port } = this.server.address();
    return { ENGINE: 'openai', OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` };
  }

  async close() {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
async function answer(request, response) {
  let bytes = 0;
  for await (const block of request) bytes += block.length;
  const asked = request.method === 'POST';
  response.writeHead(asked ? 200 : 404, { 'content-type': 'application/json' });
  response.end(asked ? JSON.stringify(transcription(bytes / SECOND)) : '{}');
}

/** @param {number} seconds */
function transcription(seconds) {
  const words = Array.from({ length: Math.floor(seconds * RATE) }, (_, index) => ({
    word: WORDS[(index * 7 + Math.floor(index / 5)) % WORDS.length],
    start: index / RATE,
    end: (index + 0.8) / RATE,
  }));
  return { text: words.map(({ word }) => word).join(' '), language: 'english', words };
}
