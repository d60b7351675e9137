import {
  type ChunkSpeakerFeatures,
  chunkAudioToSink,
  decodeWav,
  extractEncodedAcousticFeatures,
  diarizeFeatures,
  type SpeakerTurn,
} from '@app/speech';

export interface FileDiarization {
  turns: SpeakerTurn[];
  speakers: number;
  /** Characters of the encoded speaker features. */
  voicesLength: number;
  chunks: number;
}

/** Splits a media file into chunks, extracts speaker features of each, and assigns speakers, like the service. */
export async function diarizeFile(path: string): Promise<FileDiarization> {
  const { signal } = new AbortController();
  const chunks: ChunkSpeakerFeatures[] = [];
  await chunkAudioToSink({ path, signal }, async ({ start, wav }) => {
    chunks.push({ start, voices: await extractEncodedAcousticFeatures(decodeWav(wav), signal) });
  });
  const turns = await diarizeFeatures(chunks, signal);

  return {
    turns,
    speakers: new Set(turns.map(({ speaker }) => speaker)).size,
    voicesLength: chunks.reduce((sum, { voices }) => sum + voices.length, 0),
    chunks: chunks.length,
  };
}
