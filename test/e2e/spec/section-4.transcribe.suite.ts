import { beforeAll, describe, expect, it } from 'vitest';
import { type Bytes, synthesizeSpeech, splitWords } from '../support/audio.js';
import { encodeAudio } from '../support/encode-audio.js';
import {
  collectMessages,
  transcribeStreamed,
  openTranscribeRequest,
  readErrorResponse,
} from '../support/streamed-transcription.js';
import { expectInvalidFields } from '../support/problem.js';
import type { StreamMessage } from '../support/sse.js';
import type { SpecContext } from './spec-context.js';

const SPOKEN_TEXT = 'I can see the library.';
const TYPES = {
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/mp4': 'm4a',
  'audio/ogg': 'ogg',
  'audio/flac': 'flac',
  'video/mp4': 'mp4',
  'application/octet-stream': 'wav',
} as const;

export function describeSection4Transcribe(getContext: () => SpecContext): void {
  describe('§4.12 POST /transcribe', () => {
    let streamsByType: Record<string, { jobId: unknown; messages: StreamMessage[] }>;

    beforeAll(async () => {
      const { client } = getContext();
      const wav = await synthesizeSpeech(SPOKEN_TEXT);
      const bytes = (kind: (typeof TYPES)[keyof typeof TYPES]): Promise<Bytes> =>
        kind === 'wav' ? Promise.resolve(wav) : encodeAudio(wav, kind);
      const transcriptions = Object.entries(TYPES).map(async ([type, kind]) => {
        const transcription = await transcribeStreamed(client, await bytes(kind), '?output_type=txt', {
          'Content-Type': type,
        });
        expect(transcription.response.headers['content-type']).toMatch(/^text\/event-stream/);
        return [
          type,
          {
            jobId: transcription.response.headers['x-job-id'],
            messages: await collectMessages(transcription),
          },
        ] as const;
      });
      streamsByType = Object.fromEntries(await Promise.all(transcriptions));
    });

    it.each(Object.keys(TYPES))('accepts %s', (type) => {
      const { jobId, messages } = streamsByType[type] ?? expect.unreachable(type);
      const names = messages.map(({ event }) => event);
      expect(names.filter((name) => name !== 'progress')).toEqual(['accepted', 'completed', 'transcript']);
      expect(names[0]).toBe('accepted');
      const accepted = JSON.parse(messages[0]?.data ?? '') as Record<string, string>;
      expect(accepted).toEqual({ job_id: jobId, download_url: expect.stringMatching(/^http/) });
      expect(JSON.parse(messages.at(-2)?.data ?? '')).toEqual({
        job_id: jobId,
        download_url: expect.stringMatching(/^http/),
        output_type: 'txt',
      });
      expect(splitWords(messages.at(-1)?.data ?? '')).toEqual(
        expect.arrayContaining(['see', 'the', 'library']),
      );
    });

    it('sends the transcript as stored, with a data line per line', async () => {
      const { client, speech } = getContext();
      const messages = await collectMessages(await transcribeStreamed(client, speech, '?output_type=srt'));
      const { download_url } = JSON.parse(messages[0]?.data ?? '') as Record<string, string>;
      const file = await client.download(download_url ?? '');
      expect(messages.at(-1)?.event).toBe('transcript');
      expect(`${messages.at(-1)?.data}\n`).toBe(file.text);
      expect(file.text.trim().split('\n').length).toBeGreaterThanOrEqual(3);
    });

    it('accepts the options of a create and a comma-separated vocabulary', async () => {
      const { client, speech } = getContext();
      const query =
        '?model=zephyr&tier=standard&word_timestamps=false&speaker_labels=false&nltk=false&multichannel=false';
      const messages = await collectMessages(
        await transcribeStreamed(client, speech, `${query}&custom_vocabulary=bridge,%20office`),
      );
      const document = JSON.parse(messages.at(-1)?.data ?? '') as {
        options: Record<string, unknown>;
        segments: { words: unknown; speaker: unknown }[];
        text: string;
      };
      expect(document.options).toMatchObject({
        word_timestamps: false,
        speaker_labels: false,
        nltk: false,
        multichannel: false,
        custom_vocabulary: ['bridge', 'office'],
      });
      for (const { words, speaker } of document.segments) expect([words, speaker]).toEqual([null, null]);
      expect(document.text).not.toMatch(/[.,?!]/);
    });

    it.each([
      ['Content-Type', '', 'text/plain'],
      ['Content-Type', '', 'application/json'],
      ['output_type', '?output_type=doc', 'audio/wav'],
      ['nltk', '?nltk=yes', 'audio/wav'],
      ['callback_url', '?callback_url=http%3A%2F%2F10.0.0.1%2F', 'audio/wav'],
    ])('answers 422 naming %s (%s %s)', async (field, query, type) => {
      const request = openTranscribeRequest(getContext().client, query, {
        'Content-Type': type,
        'Content-Length': '1000',
      });
      const pendingResponse = readErrorResponse(request);
      request.flushHeaders();
      expectInvalidFields(await pendingResponse, field);
    });

    it('ends with failed and without a transcript when the audio cannot be decoded', async () => {
      const messages = await collectMessages(
        await transcribeStreamed(getContext().client, new Uint8Array(2_000)),
      );
      expect(messages.map(({ event }) => event)).toEqual(['accepted', 'failed']);
      expect(JSON.parse(messages[1]?.data ?? '')).toEqual({
        step: 'preprocess',
        reason: expect.stringMatching(/\w+ \w+/),
      });
    });
  });
}
