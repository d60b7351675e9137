import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { OpenAiOptions } from '../openai-client.js';

/** Closed when the test has finished. @returns the settings of a client for it, with one attempt */
export async function startFakeOpenAiServer(respond: RequestListener): Promise<OpenAiOptions> {
  const server = createServer(respond).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    model: 'm',
    audioFormat: 'wav',
    vocabularyFields: [],
    formFields: [],
    concurrency: 1,
    timeoutSeconds: 10,
    attempts: 1,
  };
}
