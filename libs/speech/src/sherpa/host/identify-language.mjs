import sherpa from 'sherpa-onnx-node';
import { cachedModel } from './model-cache.mjs';
import { toWaveform } from './waveform.mjs';

/** The language of one stretch of sound. @param {import('./host-requests.js').AudioRequest} request */
export function identifyLanguage({ model, samples }) {
  const identification = cachedModel('language', model, () => new sherpa.SpokenLanguageIdentification(model));
  const stream = identification.createStream();
  stream.acceptWaveform(toWaveform(samples));
  return identification.compute(stream);
}
