import { describe, expect, it } from 'vitest';
import { decodeSpeakerEmbeddingsFromText } from '../diarization/neural/speaker-embedding.js';
import type { SpeakerCountLimits } from '../diarization/speaker-count-limits.js';
import { MODEL_CATALOGUE } from '../models/catalogue/catalogue.js';
import type { InstalledModel } from '../models/installed-model.js';
import type { DiarizeRequest } from '../sherpa/host/host-requests.js';
import type { SherpaHostPool } from '../sherpa/host/sherpa-host-pool.js';
import { createNeuralSpeakerFeatureExtractor } from './sherpa-audio-models.js';

const segmentation = installed('pyannote-segmentation-3.0');
const { signal } = new AbortController();

describe('createNeuralSpeakerFeatureExtractor', () => {
  it.each([
    ['campplus-en', 0.9, 0.5],
    ['titanet-small', 0.95, 0.4],
  ])(
    'clusters within the audio by the distance of %s, and joins speakers by a similarity of its own',
    async (name, distance, similarity) => {
      const { clusterDistance, features } = await extractWith(installed(name));
      expect(clusterDistance).toBe(distance);
      expect(decodeSpeakerEmbeddingsFromText(features).similarityThreshold).toBe(similarity);
    },
  );

  it('takes both from the manifest, and for a model without them those of CAM++', async () => {
    const model = installed('campplus-en');
    const own = await extractWith({ ...model, settings: { clusterDistance: '0.7', alike: '0.6' } });
    expect(own.clusterDistance).toBe(0.7);
    expect(decodeSpeakerEmbeddingsFromText(own.features).similarityThreshold).toBe(0.6);
    const without = await extractWith({ ...model, settings: {} });
    expect(without.clusterDistance).toBe(0.9);
    expect(decodeSpeakerEmbeddingsFromText(without.features).similarityThreshold).toBe(0.5);
  });

  it('splits finer where several speakers are named, so that joining can find them', async () => {
    const model = installed('campplus-en');
    expect((await extractWith(model, { min: 2, max: 2 })).clusterDistance).toBe(0.5);
    expect((await extractWith(model, { min: 1, max: 2 })).clusterDistance).toBe(0.9);
  });
});

function installed(name: string): InstalledModel {
  const entry = MODEL_CATALOGUE.find((each) => each.name === name);
  if (!entry) throw new Error(`The catalogue has no ${name}.`);
  return { ...entry, files: { model: `/models/${name}/model.onnx` } };
}

async function extractWith(model: InstalledModel, limits?: SpeakerCountLimits) {
  const distances: number[] = [];
  const hosts = {
    request: async (_: string, { clusterDistance }: DiarizeRequest) => {
      distances.push(clusterDistance);
      return [];
    },
  } as unknown as SherpaHostPool;
  const extractor = createNeuralSpeakerFeatureExtractor(segmentation, model, hosts);
  const features = await extractor.extract(new Int16Array(16_000), signal, limits);
  return { clusterDistance: distances[0], features };
}
