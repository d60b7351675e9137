import sherpa from 'sherpa-onnx-node';
import { keptModel } from './models.mjs';

/** Each text with marks. @param {import('./requests.js').PunctuateRequest} request */
export function punctuate({ model, texts }) {
  const punctuation = keptModel('punctuation', model, () => new sherpa.OfflinePunctuation(model));
  return texts.map((text) => punctuation.addPunct(text));
}
