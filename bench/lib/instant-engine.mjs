import { once } from 'node:events';
import { createServer } from 'node:http';

const WORDS_PER_SECOND = 2.7;
const WORDS = 'we talk about the weather in the north and then somebody asks what comes after that'.split(
  ' ',
);
/** Of audio in a chunk. */
const BYTES_PER_SECOND = 32_000;

/**
 * A server with OpenAI's interface that responds at once, with as many words as people speak in the length of the chunk.
 * It excludes recognition from the measurement.
 */
export class InstantEngine {
  /** @param {import('node:http').Server} server */
  constructor(server) {
    this.server = server;
  }

  static async start() {
    const server = createServer((request, response) => void respond(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new InstantEngine(server);
  }

  /** Settings of a service that uses it. */
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
async function respond(request, response) {
  let bytes = 0;
  for await (const block of request) bytes += block.length;
  const isTranscription = request.method === 'POST';
  response.writeHead(isTranscription ? 200 : 404, { 'content-type': 'application/json' });
  response.end(isTranscription ? JSON.stringify(buildTranscription(bytes / BYTES_PER_SECOND)) : '{}');
}

/** @param {number} seconds */
function buildTranscription(seconds) {
  const words = Array.from({ length: Math.floor(seconds * WORDS_PER_SECOND) }, (_, index) => ({
    word: WORDS[(index * 7 + Math.floor(index / 5)) % WORDS.length],
    start: index / WORDS_PER_SECOND,
    end: (index + 0.8) / WORDS_PER_SECOND,
  }));
  return { text: words.map(({ word }) => word).join(' '), language: 'english', words };
}
