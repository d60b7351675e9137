import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bytes, silentWav, synthesizeSpeech, splitWords } from './support/audio.js';
import type { Client } from './support/client.js';
import { collectMessages, transcribeStreamed } from './support/streamed-transcription.js';
import { Service } from './support/service.js';
import type { StreamMessage } from './support/sse.js';
import { until } from './support/until.js';

const TEXT = 'There are ninety tables between the office and the bridge.';
const run = promisify(execFile);

let service: Service;
let client: Client;
let audio: Bytes;

beforeAll(async () => {
  service = await Service.start({ MAX_CONCURRENT_STREAMS: '1', STREAM_WAITING_SECONDS: '1' });
  client = await service.client();
  audio = await synthesizeSpeech(TEXT);
});
afterAll(() => service?.stop());

const parseData = (message: StreamMessage | undefined) =>
  JSON.parse(message?.data ?? '') as Record<string, string>;
const listNames = (messages: StreamMessage[]) => messages.map(({ event }) => event);

/** Checks a whole stream, and returns the transcript's text. */
async function expectWhole(messages: StreamMessage[], outputType: string): Promise<string> {
  const own = messages.slice(1, -1);
  expect(listNames(messages).filter((name) => name !== 'progress')).toEqual([
    'accepted',
    'completed',
    'transcript',
  ]);
  expect(messages[0]).toMatchObject({ event: 'accepted', id: '0' });
  expect(own.map(({ id }) => id)).toEqual(own.map((_, index) => String(index + 1)));
  const { job_id, download_url } = parseData(messages[0]);
  const completed = parseData(own.at(-1));
  expect(completed).toMatchObject({ job_id, output_type: outputType });
  expect(messages.at(-1)).toMatchObject({ event: 'transcript', id: own.at(-1)?.id });
  const files = await Promise.all(
    [download_url, completed['download_url']].map((url) => client.download(url ?? '')),
  );
  expect(files.map(({ status }) => status)).toEqual([200, 200]);
  expect(files[0]?.text).toBe(files[1]?.text);
  const transcriptText = messages.at(-1)?.data ?? '';
  if (!['docx', 'pdf'].includes(outputType)) expect(`${transcriptText}\n`).toBe(files[0]?.text);
  return transcriptText;
}

describe('§4.12 POST /transcribe', () => {
  it.each(['json', 'txt', 'srt', 'vtt'])('streams events and the %s itself', async (outputType) => {
    const transcription = await transcribeStreamed(client, audio, `?output_type=${outputType}&nltk=false`);
    expect(transcription.response.headers['content-type']).toMatch(/^text\/event-stream/);
    const messages = await collectMessages(transcription);
    expect(transcription.response.headers['x-job-id']).toBe(parseData(messages[0])['job_id']);
    const transcriptText = await expectWhole(messages, outputType);
    const words =
      outputType === 'json' ? (JSON.parse(transcriptText) as { text: string }).text : transcriptText;
    expect(splitWords(words)).toEqual(expect.arrayContaining(['tables', 'office', 'bridge']));
  });

  it.each(['docx', 'pdf'])('streams the plain text of a %s', async (outputType) => {
    const transcriptText = await expectWhole(
      await collectMessages(await transcribeStreamed(client, audio, `?output_type=${outputType}`)),
      outputType,
    );
    expect(transcriptText).toMatch(/^\[00:00:0\d\]/);
    expect(splitWords(transcriptText)).toContain('bridge');
  });

  it.each([
    ['curl -T, of unknown length and type', ['-X', 'POST', '-T', '-'], ''],
    ['curl -T', ['-X', 'POST', '-T'], 'file'],
    ['curl --data-binary', ['-H', 'Content-Type: audio/wav', '--data-binary'], '@file'],
  ])('works with %s', async (_, args, last) => {
    const path = join(service.dataDir, 'speech.wav');
    await writeFile(path, audio);
    const source = last === '' ? [] : [last.replace('file', path)];
    const url = `${client.baseUrl}/api/v1/transcribe?output_type=txt`;
    const command = ['-sSN', '-H', `X-API-Key: ${client.apiKey}`, url, ...args, ...source];
    const quoted = [...command].map((word) => `'${word}'`).join(' ');
    const { stdout } = await run('sh', ['-c', `cat '${path}' | curl ${quoted}`]);
    expect(stdout).toMatch(/^event: accepted\nid: 0\ndata: \{/m);
    expect(stdout).toMatch(/^event: transcript\nid: \d+\ndata: \[00:00:00\].* bridge\.?$/m);
  });

  it('continues the job when the client disconnects, and the stream of the job resumes it', async () => {
    const accepted = await service.whileStopped('processor', async () => {
      const { response, messages } = await transcribeStreamed(client, silentWav(1));
      const { value } = (await messages().next()) as { value: StreamMessage };
      expect(value.event).toBe('accepted');
      response.destroy();
      return value;
    });
    const events = await client.events(parseData(accepted)['job_id'] ?? '', { lastEventId: accepted.id });
    expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => String(index + 1)));
    expect(events.at(-1)?.name).toBe('completed');
  });

  it('§6.1 sends accepted before it waits in the stream pool', async () => {
    const received: StreamMessage[] = [];
    const ends = await service.whileStopped('processor', async () => {
      const first = (await transcribeStreamed(client, silentWav(1))).messages();
      await first.next();
      const second = (await transcribeStreamed(client, silentWav(1))).messages();
      const listening = (async () => {
        for await (const message of second) received.push(message);
      })();
      await until('the second waits', () => received.length >= 2);
      expect(listNames(received.slice(0, 2))).toEqual(['accepted', 'waiting']);
      expect(received[1]).toMatchObject({ id: '0' });
      expect(parseData(received[1])).toMatchObject({ position: 1, eta_seconds: expect.any(Number) });
      return { first, listening };
    });
    for await (const message of ends.first) expect(message.event).not.toBe('waiting');
    await ends.listening;
    await expectWhole(
      received.filter(({ event }) => event !== 'waiting'),
      'json',
    );
  });
});
