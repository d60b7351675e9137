import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeWav, OpenAiEngine, type OpenAiOptions, SAMPLE_RATE } from '@app/speech';
import { generateTones, type FakeTranscriptionServer } from './fake-transcription-server.js';

/** An engine that uses this server, with short timeouts. */
export function createOpenAiEngine(
  server: FakeTranscriptionServer,
  options: Partial<OpenAiOptions> = {},
): OpenAiEngine {
  return new OpenAiEngine({
    baseUrl: server.baseUrl,
    model: 'tones',
    audioFormat: 'wav',
    vocabularyFields: ['prompt'],
    formFields: [],
    concurrency: 4,
    timeoutSeconds: 5,
    attempts: 3,
    initialBackoffMs: 1,
    ...options,
  });
}

/** Writes a chunk with `count` tones to a file of the folder. */
export async function writeToneChunk(
  folder: string,
  count: number,
): Promise<{ path: string; duration: number }> {
  const samples = generateTones(count);
  const path = join(folder, `${count}.wav`);
  await writeFile(path, encodeWav(samples));
  return { path, duration: samples.length / SAMPLE_RATE };
}
