import {
  type CatalogueModel,
  buildCatalogueFiles,
  buildSherpaHuggingFaceBaseUrl,
} from './catalogue-model.js';

/** NVIDIA Canary, quantized to 8 bits. It also knows Spanish, German and French, but must be told which. */
export const CANARY_MODEL: CatalogueModel = {
  name: 'canary-180m-flash',
  kind: 'recognizer',
  family: 'canary',
  languages: ['en'],
  licence: 'CC-BY-4.0',
  settings: { language: 'en' },
  about: 'English, with punctuation, small',
  files: buildCatalogueFiles(
    buildSherpaHuggingFaceBaseUrl(
      'sherpa-onnx-nemo-canary-180m-flash-en-es-de-fr-int8',
      '9077164e0d3dd1d5353743e89ceaa1d3a770838c',
    ),
    [
      [
        'encoder',
        'encoder.int8.onnx',
        132_678_643,
        '7a75b4e2a5857a6dcc0819503bbe3fad66943db4a3ccf21d3f27c633667d303f',
      ],
      [
        'decoder',
        'decoder.int8.onnx',
        74_437_848,
        'e41a2ab9c0c2fe81a1e8ade5a45fb02a74bc4db7d1f91b89a54a25e2cf79cba2',
      ],
      ['tokens', 'tokens.txt', 53_555, '2dae6fc7815f9640645e0c765522b278ee0cef49b482d91f6913e334628d3e77'],
    ],
  ),
};
