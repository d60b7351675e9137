import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuxiliaryModels } from '../../auxiliary-models/auxiliary-models.js';
import { chunkAudioToSink } from '../../chunking/chunk-audio.js';
import { diarizeFeatures } from '../../diarization/diarize.js';
import {
  type ChunkSpeakerFeatures,
  extractEncodedAcousticFeatures,
} from '../../diarization/speaker-features.js';
import type { SpeakerTurn } from '../../diarization/speaker-turns.js';
import type { ChunkFile, SpeechEngine } from '../../engine/engine.js';
import { decodeWav } from '../../wav/wav.js';
import type { DialogueTurn } from './compute-speaker-accuracy.js';

/** A recording of which words and speakers are known. */
export interface ReferenceDialogue {
  /** Media file. */
  path: string;
  /** BCP 47 */
  language: string;
  turns: DialogueTurn[];
}

export interface DialogueTranscription {
  text: string;
  speakers: SpeakerTurn[];
  /** Seconds of audio. */
  duration: number;
  /** Seconds that the engine took. */
  engineSeconds: number;
}

export type DialogueAuxiliaryModels = Pick<AuxiliaryModels, 'speechDetector' | 'speakerFeatureExtractor'>;

/** Like the stages of a job, but one chunk after the other. @throws the errors of the engine and of the models */
export async function transcribeDialogue(
  { path }: ReferenceDialogue,
  engine: Pick<SpeechEngine, 'transcribe'>,
  { speechDetector, speakerFeatureExtractor }: DialogueAuxiliaryModels,
  signal: AbortSignal,
): Promise<DialogueTranscription> {
  const folder = await mkdtemp(join(tmpdir(), 'zephyr-check-'));
  const texts: string[] = [];
  const described: ChunkSpeakerFeatures[] = [];
  let engineSeconds = 0;
  try {
    const { duration } = await chunkAudioToSink({ path, speechDetector, signal }, async (chunk) => {
      const file = join(folder, `${chunk.index}.wav`);
      await writeFile(file, chunk.wav);
      const startedAt = performance.now();
      const audio: ChunkFile = {
        path: file,
        duration: chunk.end - chunk.start,
        speech: { detector: speechDetector ? 'model' : 'level', spans: chunk.speech },
      };
      const { words } = await engine.transcribe(audio, { vocabulary: [], signal });
      engineSeconds += (performance.now() - startedAt) / 1000;
      texts.push(...words.map(({ text }) => text));
      const samples = decodeWav(chunk.wav);
      const features = speakerFeatureExtractor
        ? await speakerFeatureExtractor.extract(samples, signal)
        : await extractEncodedAcousticFeatures(samples, signal);
      described.push({ start: chunk.start, speakerFeatures: features });
    });
    return {
      text: texts.join(' '),
      speakers: await diarizeFeatures(described, signal),
      duration,
      engineSeconds,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
