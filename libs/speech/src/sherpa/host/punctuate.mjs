import sherpa from 'sherpa-onnx-node';
import { cachedModel } from './model-cache.mjs';

/** Each text with marks. @param {import('./host-requests.js').PunctuateRequest} request */
export function punctuate({ model, texts }) {
  const punctuation = cachedModel('punctuation', model, () => new sherpa.OfflinePunctuation(model));
  return texts.map((text) => punctuation.addPunct(text));
}
