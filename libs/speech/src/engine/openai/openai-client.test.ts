import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { OpenAiClient } from './openai-client.js';

it('a response with an unknown content encoding is an error that names it, whatever the name', async () => {
  const names = Object.getOwnPropertyNames(Object.prototype).map((name) => name.toLowerCase());
  const encodings = ['zstd', ...names];
  const left = [...encodings];
  const server = createServer((_, response) =>
    response.writeHead(200, { 'content-encoding': left.shift() }).end('{}'),
  ).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const client = new OpenAiClient({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    model: 'm',
    audioFormat: 'wav',
    vocabularyFields: [],
    formFields: [],
    concurrency: 1,
    timeoutSeconds: 10,
    attempts: 1,
  });
  onTestFinished(() => client.close());
  for (const encoding of encodings)
    await expect(client.send('/models', null, new AbortController().signal)).rejects.toThrow(
      `a response with the unknown content encoding ${encoding}`,
    );
});
