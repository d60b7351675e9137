import { expect, it, onTestFinished } from 'vitest';
import { OpenAiClient } from './openai-client.js';
import { startFakeOpenAiServer } from './testing/start-fake-openai-server.js';

it('a response with an unknown content encoding is an error that names it, whatever the name', async () => {
  const names = Object.getOwnPropertyNames(Object.prototype).map((name) => name.toLowerCase());
  const encodings = ['zstd', ...names];
  const left = [...encodings];
  const options = await startFakeOpenAiServer((_, response) =>
    response.writeHead(200, { 'content-encoding': left.shift() }).end('{}'),
  );
  const client = new OpenAiClient(options);
  onTestFinished(() => client.close());
  for (const encoding of encodings)
    await expect(client.send('/models', null, new AbortController().signal)).rejects.toThrow(
      `a response with the unknown content encoding ${encoding}`,
    );
});
