import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeWav, OpenAiEngine } from '@app/speech';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateTones } from '../support/fake-transcription-server.js';

describe('OpenAiEngine with an unreachable server', () => {
  let silentServer: Server;
  let folder: string;
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'zephyr-openai-'))));
  afterAll(async () => {
    silentServer.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('the connection attempt ends at its timeout or on abort', async () => {
    silentServer = createServer((socket) => socket.on('error', () => undefined));
    await new Promise<void>((resolve) => silentServer.listen(0, '127.0.0.1', resolve));
    const { port } = silentServer.address() as { port: number };
    // A server that never responds to the TLS handshake has the same effect as one that never accepts a connection.
    const engine = new OpenAiEngine({
      baseUrl: `https://127.0.0.1:${port}/v1`,
      model: 'tones',
      audioFormat: 'wav',
      vocabularyFields: ['prompt'],
      formFields: [],
      concurrency: 1,
      timeoutSeconds: 60,
      attempts: 1,
      connectTimeoutMs: 300,
    });
    const audio = { path: join(folder, '1.wav'), duration: 1 };
    await writeFile(audio.path, encodeWav(generateTones(1)));
    const error = await engine
      .transcribe(audio, { vocabulary: [], signal: new AbortController().signal })
      .catch((thrown: unknown) => thrown);
    expect(String((error as Error).cause)).toContain('UND_ERR_CONNECT_TIMEOUT');
    const controller = new AbortController();
    const aborted = engine.transcribe(audio, { vocabulary: [], signal: controller.signal });
    controller.abort(new Error('no longer wanted'));
    await expect(aborted).rejects.toThrow('no longer wanted');
    await engine.close();
  });
});
