import sherpa from 'sherpa-onnx-node';
import { cachedModel } from './model-cache.mjs';
import { toWaveform } from './waveform.mjs';

/** Words of one stretch of sound. @param {import('./host-requests.js').RecognizeRequest} request */
export async function recognize({ model, samples, hotwords }) {
  const recognizer = cachedModel('recognizer', model, () => new sherpa.OfflineRecognizer(model));
  if (samples.length === 0) return null;
  const stream = hotwords ? recognizer.createStream(hotwords) : recognizer.createStream();
  stream.acceptWaveform(toWaveform(samples));
  return recognizer.decodeAsync(stream);
}
