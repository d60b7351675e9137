import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AudioChunk, chunkAudioToSink, type RecognizedWord, type SpeechEngine } from '@app/speech';

export interface FileTranscription {
  /** In order of time; times are from the start of the file. */
  words: RecognizedWord[];
  /** Seconds of audio. */
  duration: number;
  chunks: number;
  /** Seconds between the end of a chunk and the start of the next, in the middle. */
  cutPoints: number[];
}

/** Splits a media file into chunks and transcribes each, like the service. @throws the errors of `chunkAudioToSink` and the engine */
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
    const { duration, chunks } = await chunkAudioToSink({ path, ...lengths, signal }, transcribeChunk);
    const cutPoints = bounds.slice(1).map(({ start }, index) => (start + (bounds[index]?.end ?? start)) / 2);
    return { words, duration, chunks, cutPoints };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
