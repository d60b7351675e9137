import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AudioChunk, chunkAudio, type RecognizedWord, type SpeechEngine } from '@app/speech';

export interface FileTranscription {
  /** In order of time, on the file's clock. */
  words: RecognizedWord[];
  /** Seconds of sound in the file. */
  duration: number;
  chunks: number;
  /** Seconds at which one chunk ends and the next begins. */
  cutPoints: number[];
}

/** Cuts a media file and transcribes each chunk, like the service. Throws like `chunkAudio` and the engine. */
export async function transcribeFile(
  engine: SpeechEngine,
  path: string,
  lengths: { targetSeconds?: number; maxSeconds?: number } = {},
): Promise<FileTranscription> {
  const folder = await mkdtemp(join(tmpdir(), 'zephyr-transcribe-'));
  const signal = new AbortController().signal;
  const words: RecognizedWord[] = [];
  const bounds: { start: number; end: number }[] = [];
  try {
    const transcribeChunk = async (chunk: AudioChunk): Promise<void> => {
      const wav = join(folder, `${chunk.index}.wav`);
      await writeFile(wav, chunk.wav);
      bounds.push({ start: chunk.start, end: chunk.end });
      const audio = { path: wav, duration: chunk.end - chunk.start };
      const transcription = await engine.transcribe(audio, { vocabulary: [], signal });
      for (const word of transcription.words) {
        words.push({ ...word, start: chunk.start + word.start, end: chunk.start + word.end });
      }
    };
    const { duration, chunks } = await chunkAudio({ path, ...lengths, signal }, transcribeChunk);
    const cuts = bounds.slice(1).map(({ start }, before) => (start + (bounds[before]?.end ?? start)) / 2);
    return { words, duration, chunks, cutPoints: cuts };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
