import {
  type ChunkSpeakerFeatures,
  chunkAudio,
  decodeWav,
  extractSpeakerFeatures,
  diarizeFeatures,
  type SpeakerTurn,
} from '@app/speech';

export interface FileDiarization {
  turns: SpeakerTurn[];
  speakers: number;
  /** Characters in the stored embeddings of the voices. */
  voicesLength: number;
  chunks: number;
}

/** Cuts a media file, computes the embeddings of each piece and assigns speakers, like the service. */
export async function diarizeFile(path: string): Promise<FileDiarization> {
  const { signal } = new AbortController();
  const chunks: ChunkSpeakerFeatures[] = [];
  await chunkAudio({ path, signal }, async ({ start, wav }) => {
    chunks.push({ start, voices: await extractSpeakerFeatures(decodeWav(wav), signal) });
  });
  const turns = await diarizeFeatures(chunks, signal);
  const kept = chunks.reduce((sum, { voices }) => sum + voices.length, 0);
  return {
    turns,
    speakers: new Set(turns.map(({ speaker }) => speaker)).size,
    voicesLength: kept,
    chunks: chunks.length,
  };
}
