import sherpa from 'sherpa-onnx-node';
import { keptModel } from './models.mjs';
import { waveOf } from './samples.mjs';

/** Words of one stretch of sound. @param {import('./requests.js').RecognizeRequest} request */
export async function recognize({ model, samples, hotwords }) {
  const recognizer = keptModel('recognizer', model, () => new sherpa.OfflineRecognizer(model));
  if (samples.length === 0) return null;
  const stream = hotwords ? recognizer.createStream(hotwords) : recognizer.createStream();
  stream.acceptWaveform(waveOf(samples));
  return recognizer.decodeAsync(stream);
}
