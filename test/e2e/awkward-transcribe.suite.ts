import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { silentWav } from './support/audio.js';
import type { Client } from './support/client.js';
import { listStoredFiles, waitUntilBeingStored } from './support/data-dir.js';
import {
  openTranscribeRequest,
  transcribeStreamed,
  readErrorResponse,
} from './support/streamed-transcription.js';
import { expectInvalidFields, expectProblem } from './support/problem.js';
import { openSocket, sendRaw } from './support/raw-http.js';
import type { Service } from './support/service.js';
import { until } from './support/until.js';

let service: Service;
let client: Client;

export function describeAwkwardTranscribe(getService: () => Service): void {
  beforeAll(async () => {
    service = getService();
    client = await service.client();
  });

  describe('§4.12 POST /transcribe with unusual requests', () => {
    it.each([
      'AUDIO/WAV',
      'Audio/Mpeg; rate=16000',
      'audio/ogg;codecs="opus, vorbis"',
      ' video/mp4 ',
      'application/OCTET-STREAM;',
      'audio/x-wav',
      'audio/vnd.wave',
      'audio/x-m4a',
      'audio/webm',
      'video/quicktime',
    ])('the Content-Type %s is accepted', async (type) => {
      const { response } = await transcribeStreamed(client, silentWav(1), '', { 'Content-Type': type });
      expect(response.statusCode).toBe(200);
      response.destroy();
    });

    it.each([
      'audio/wav, audio/mpeg',
      'audio',
      'audio/*',
      '*/*',
      ';',
      'audio/',
      'audio/a b',
      'text/plain',
      'application/json',
    ])('the Content-Type %s answers 422', async (type) => {
      const request = openTranscribeRequest(client, '', { 'Content-Type': type });
      const pendingResponse = readErrorResponse(request);
      request.end(silentWav(1));
      expectInvalidFields(await pendingResponse, 'Content-Type');
    });

    it.each([
      ['multipart/form-data; boundary=x', 'curl -X POST -T FILE'],
      ['application/x-www-form-urlencoded', "-H 'Content-Type: application/octet-stream'"],
    ])(
      'the Content-Type %s, a default of curl, answers 422 and names the flag to use',
      async (type, flag) => {
        const request = openTranscribeRequest(client, '', { 'Content-Type': type });
        const pendingResponse = readErrorResponse(request);
        request.end(silentWav(1));
        const response = await pendingResponse;
        expectInvalidFields(response, 'Content-Type');
        expect((JSON.parse(response.text) as { detail: string }).detail).toContain(flag);
      },
    );

    it('an empty body answers 422 and says so', async () => {
      const request = openTranscribeRequest(client, '', { 'Content-Length': '0' });
      const pendingResponse = readErrorResponse(request);
      request.end();
      const response = await pendingResponse;
      expectInvalidFields(response, 'body');
      expect((JSON.parse(response.text) as { detail: string }).detail).toContain('is empty');
    });

    it('a query vocabulary of 15,000 characters is accepted, and one of 17,000 answers 431 and states the limit', async () => {
      const sendVocabulary = (characters: number) =>
        sendRaw(client, {
          method: 'POST',
          path: `/api/v1/transcribe?nltk=no&custom_vocabulary=${'abcdefghijklmn,'.repeat(characters / 15)}`,
          headers: [['Content-Type', 'audio/wav']],
          body: 'x',
        });
      expectInvalidFields(await sendVocabulary(15_000), 'nltk');
      const { detail } = expectProblem(await sendVocabulary(17_100), 431, 'headers_too_large');
      expect(detail).toMatch(/16384 bytes.*custom_vocabulary.*POST \/api\/v1\/upload/);
    });

    it('a body with a Content-Encoding answers 422 and names the header', async () => {
      const request = openTranscribeRequest(client, '', { 'Content-Encoding': 'gzip' });
      const pendingResponse = readErrorResponse(request);
      request.end(gzipSync(silentWav(1)));
      expectInvalidFields(await pendingResponse, 'Content-Encoding');
      const { response } = await transcribeStreamed(client, silentWav(1), '', {
        'Content-Encoding': 'identity',
      });
      expect(response.statusCode).toBe(200);
      response.destroy();
    });

    it.each([
      ['model=%00', 'model'],
      ['output_type=%ED%A0%80', 'output_type'],
      ['custom_vocabulary=a,%00', 'custom_vocabulary'],
      ['custom_vocabulary=a,b%07', 'custom_vocabulary'],
      ['callback_url=http://example.com/%00', 'callback_url'],
      ['tier=', 'tier'],
      ['word_timestamps=', 'word_timestamps'],
      [`custom_vocabulary=${'a,'.repeat(1_001)}`, 'custom_vocabulary'],
    ])('invalid query %#: ?%.30s answers 422 and names %s', async (query, field) => {
      const response = await sendRaw(client, {
        method: 'POST',
        path: `/api/v1/transcribe?${query}`,
        headers: [['Content-Type', 'audio/wav']],
        body: silentWav(1),
      });
      expectInvalidFields(response, field);
    });

    it('an aborted chunked body leaves neither objects nor a job', async () => {
      const caller = await service.client((await service.openAccount(10)).api_key);
      const before = new Set(await listStoredFiles(service.dataDir));
      for (const [end, chunk] of [
        ['leaves', '8000\r\n'],
        ['breaks off', 'nonsense'],
      ]) {
        const socket = openSocket(caller);
        socket.on('error', () => undefined);
        const over = new Promise((resolve) => socket.once('close', resolve));
        socket.write(
          `POST /api/v1/transcribe HTTP/1.1\r\nHost: x\r\nX-API-Key: ${caller.apiKey}\r\n` +
            `Content-Type: audio/wav\r\nTransfer-Encoding: chunked\r\n\r\n8000\r\n`,
        );
        await waitUntilBeingStored(service.dataDir, () => socket.write(Buffer.alloc(0x8000)));
        socket.write(`\r\n${chunk}`);
        if (end === 'leaves') socket.destroy();
        else socket.resume();
        await over;
      }
      await until('the bytes are deleted', async () => {
        const added = (await listStoredFiles(service.dataDir)).filter((path) => !before.has(path));
        return added.every((path) => !/\/(audio|tmp)\//.test(path));
      });
      expect(await caller.listJobIds()).toEqual([]);
    });
  });
}
