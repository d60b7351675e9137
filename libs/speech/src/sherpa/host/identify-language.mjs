import sherpa from 'sherpa-onnx-node';
import { keptModel } from './models.mjs';
import { waveOf } from './samples.mjs';

/** The language of one stretch of sound. @param {import('./requests.js').SoundRequest} request */
export function identifyLanguage({ model, samples }) {
  const identification = keptModel('language', model, () => new sherpa.SpokenLanguageIdentification(model));
  const stream = identification.createStream();
  stream.acceptWaveform(waveOf(samples));
  return identification.compute(stream);
}
