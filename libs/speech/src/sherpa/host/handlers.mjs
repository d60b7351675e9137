import sherpa from 'sherpa-onnx-node';
import { diarizeSpeakers } from './diarize-speakers.mjs';
import { cachedModel, toWaveform } from './model-cache.mjs';

/** Samples per window of the speech detector. */
const VAD_WINDOW_SAMPLES = 512;
/** Initial size of the library's buffer; it grows with longer audio. */
const VAD_BUFFER_SECONDS = 30;

/** Request kind of `host-requests.ts` -> its handler. */
export const HANDLERS = { recognize, detectSpeech, diarizeSpeakers, punctuate, identifyLanguage };

/**
 * Returns null for empty audio, which only loads the model.
 * @param {import('./host-requests.js').RecognizeRequest} request
 */
async function recognize({ model, samples, hotwords }) {
  const recognizer = cachedModel('recognizer', model, () => new sherpa.OfflineRecognizer(model));
  if (samples.length === 0) return null;
  const stream = hotwords ? recognizer.createStream(hotwords) : recognizer.createStream();
  stream.acceptWaveform(toWaveform(samples));
  return recognizer.decodeAsync(stream);
}

/**
 * @param {import('./host-requests.js').AudioModelRequest} request
 * @returns {import('../../vad/model-frame-classifier.js').SampleRange[]}
 */
function detectSpeech({ model, samples }) {
  const detector = cachedModel('voice-activity', model, () => new sherpa.Vad(model, VAD_BUFFER_SECONDS));
  detector.reset();
  const { samples: wave } = toWaveform(samples);
  // Given several windows in one call, the library only reports whether any of them is speech.
  for (let at = 0; at < wave.length; at += VAD_WINDOW_SAMPLES)
    detector.acceptWaveform(wave.subarray(at, at + VAD_WINDOW_SAMPLES));
  detector.flush();
  const ranges = [];
  for (; !detector.isEmpty(); detector.pop()) {
    const { start, samples: speech } = detector.front(false);
    ranges.push({ start, end: start + speech.length });
  }
  return ranges;
}

/** @param {import('./host-requests.js').PunctuateRequest} request */
function punctuate({ model, texts }) {
  const Punctuation = model.model.cnnBilstm ? sherpa.OnlinePunctuation : sherpa.OfflinePunctuation;
  const punctuation = cachedModel('punctuation', model, () => new Punctuation(model));
  return texts.map((text) => punctuation.addPunct(text));
}

/** @param {import('./host-requests.js').AudioModelRequest} request */
function identifyLanguage({ model, samples }) {
  const identification = cachedModel('language', model, () => new sherpa.SpokenLanguageIdentification(model));
  const stream = identification.createStream();
  stream.acceptWaveform(toWaveform(samples));
  return identification.compute(stream);
}
