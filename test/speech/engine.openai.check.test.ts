import type { OpenAiOptions } from '@app/speech';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeTranscriptionServer, sendJson } from '../support/fake-transcription-server.js';
import { createOpenAiEngine } from '../support/openai-engine.js';

const KEY = 'sk-very-secret';

let server: FakeTranscriptionServer;
beforeEach(async () => void (server = await FakeTranscriptionServer.start()));
afterEach(() => server.stop());

function answerNext(...statuses: number[]): void {
  server.queueMisbehaviours(
    ...statuses.map((status) => (response: Response) => sendJson(response, status, {})),
  );
}
type Response = Parameters<typeof sendJson>[0];

/** @returns the error as text */
async function check(options: Partial<OpenAiOptions> = {}): Promise<string | undefined> {
  const engine = createOpenAiEngine(server, options);
  const outcome = await engine.check().then(
    () => undefined,
    (error: unknown) => String(error),
  );
  await engine.close();
  return outcome;
}

describe('OpenAiEngine.check of a server without a list of models', () => {
  it.each([404, 405])('a server that answers %i to the list has the transcription route', async (status) => {
    answerNext(status);
    expect(await check()).toBeUndefined();
    expect(server.requests.map(({ path, fields }) => ({ path, fields }))).toEqual([
      { path: '/v1/models', fields: {} },
      // Without a file, so that nothing is charged.
      { path: '/v1/audio/transcriptions', fields: {} },
    ]);
  });

  it('an address without /v1 is reported with the one to try', async () => {
    const address = server.baseUrl.replace(/\/v1$/, '');
    expect(await check({ baseUrl: `${address}/` })).toBe(
      `EngineUnavailableError: The speech engine openai is unavailable: ${address}/ has no transcription API (HTTP 404 for /audio/transcriptions). Check OPENAI_BASE_URL: ${address}/v1 may be the right URL.`,
    );
  });

  it.each([404, 405])('%i to the transcription route is reported', async (status) => {
    answerNext(404, status);
    const problem = await check({ baseUrl: `${server.baseUrl}/` });
    expect(problem).toContain(`has no transcription API (HTTP ${status} for /audio/transcriptions)`);
    expect(problem).toMatch(/Check OPENAI_BASE_URL\.$/);
  });

  it.each([401, 403])('%i to the transcription route is a rejected key', async (status) => {
    answerNext(404, status);
    expect(await check({ apiKey: KEY })).toMatch(/^(?!.*sk-very-secret).*rejects the key.*OPENAI_API_KEY/);
  });

  it.each([200, 400, 415, 422, 500, 503])('%i to the transcription route is accepted', async (status) => {
    answerNext(404, status);
    expect(await check()).toBeUndefined();
  });

  it('a web page instead of the list is no transcription server, also if the page is at every address', async () => {
    const sendPage = (response: Response): void => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Welcome</title>');
    };
    server.queueMisbehaviours(sendPage, sendPage);
    expect(await check()).toContain('has no transcription API (a web page for /audio/transcriptions)');
    server.queueMisbehaviours(sendPage, (response: Response) => sendJson(response, 405, {}));
    expect(await check()).toContain('has no transcription API (HTTP 405 for /audio/transcriptions)');
  });

  it('an empty list needs no further request', async () => {
    server.queueMisbehaviours((response: Response) => sendJson(response, 200, { data: [] }));
    expect(await check()).toBeUndefined();
    expect(server.requests).toHaveLength(1);
  });

  it('a server that is busy with another request is accepted', async () => {
    answerNext(404);
    server.queueMisbehaviours(() => undefined);
    expect(await check({ checkTimeoutSeconds: 1 })).toBeUndefined();
  });

  it('a server with a list of models gets no further request', async () => {
    expect(await check()).toBeUndefined();
    expect(server.requests).toHaveLength(1);
  });
});
