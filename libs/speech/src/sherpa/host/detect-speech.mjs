import sherpa from 'sherpa-onnx-node';
import { cachedModel } from './model-cache.mjs';
import { toWaveform } from './waveform.mjs';

/** Samples that the model judges at once. */
const WINDOW = 512;
/** Room that the library begins with; it takes more when a sound is longer. */
const BUFFER_SECONDS = 30;

/**
 * Where there is speech in one stretch of sound. @param {import('./host-requests.js').AudioRequest} request
 * @returns {import('../../vad/speech-detector.js').SampleRange[]}
 */
export function detectSpeech({ model, samples }) {
  const detector = cachedModel('voice-activity', model, () => new sherpa.Vad(model, BUFFER_SECONDS));
  detector.reset();
  const { samples: wave } = toWaveform(samples);
  // Of several windows at once the library says only whether one of them is speech.
  for (let at = 0; at < wave.length; at += WINDOW) detector.acceptWaveform(wave.subarray(at, at + WINDOW));
  detector.flush();
  const spans = [];
  for (; !detector.isEmpty(); detector.pop()) {
    const { start, samples: speech } = detector.front(false);
    spans.push({ start, end: start + speech.length });
  }
  return spans;
}
