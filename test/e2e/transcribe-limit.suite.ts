import { beforeAll, describe, expect, it } from 'vitest';
import { silentWav } from './support/audio.js';
import type { Client } from './support/client.js';
import { expectProblem } from './support/problem.js';
import type { Service } from './support/service.js';
import {
  collectMessages,
  openTranscribeRequest,
  readErrorResponse,
  transcribeStreamed,
} from './support/streamed-transcription.js';

const LARGEST = silentWav(1);
/** The service must be started with this limit. */
export const MAX_AUDIO_BODY_BYTES = LARGEST.length;
const TOO_LARGE = Buffer.concat([LARGEST, Buffer.alloc(1)]);

let service: Service;
let client: Client;

export function describeTranscribeLimit(getService: () => Service): void {
  beforeAll(async () => {
    service = getService();
    client = await service.client();
  });

  describe.each([
    ['with a Content-Length', (body: Uint8Array) => ({ 'Content-Length': String(body.length) })],
    ['in chunks', () => ({ 'Transfer-Encoding': 'chunked' })],
  ])('§8 the body of POST /transcribe, sent %s', (_, getHeaders) => {
    it('is accepted with exactly the largest size', async () => {
      const messages = await collectMessages(
        await transcribeStreamed(client, LARGEST, '', getHeaders(LARGEST)),
      );
      expect(messages[0]?.event).toBe('accepted');
      expect(messages.some(({ event }) => event === 'completed')).toBe(true);
    });

    it('answers 413 with one byte more', async () => {
      const request = openTranscribeRequest(client, '', getHeaders(TOO_LARGE));
      const pendingResponse = readErrorResponse(request);
      request.end(TOO_LARGE);
      expectProblem(await pendingResponse, 413, 'file_too_large');
    });
  });
}
