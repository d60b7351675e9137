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
  speakerFeaturesLength: number;
  chunks: number;
}

/** Splits a media file into chunks, extracts speaker features of each, and assigns speakers, like the service. */
export async function diarizeFile(path: string): Promise<FileDiarization> {
  const { signal } = new AbortController();
  const chunks: ChunkSpeakerFeatures[] = [];
  await chunkAudioToSink({ path, signal }, async ({ start, wav }) => {
    chunks.push({ start, speakerFeatures: await extractEncodedAcousticFeatures(decodeWav(wav), signal) });
  });
  const turns = await diarizeFeatures(chunks, signal);

  return {
    turns,
    speakers: new Set(turns.map(({ speaker }) => speaker)).size,
    speakerFeaturesLength: chunks.reduce((sum, { speakerFeatures }) => sum + speakerFeatures.length, 0),
    chunks: chunks.length,
  };
}
