import { CANARY_MODEL } from './canary.js';
import {
  type CatalogueModel,
  buildCatalogueFiles,
  type CatalogueFileRow,
  buildSherpaHuggingFaceBaseUrl,
} from './catalogue-model.js';

const NEMO = { modelType: 'nemo_transducer', punctuation: 'yes' };
const PARAKEET_V3_LANGUAGES =
  'bg cs da de el en es et fi fr hr hu it lt lv mt nl pl pt ro ru sk sl sv uk'.split(' ');
const MOONSHINE_TOKENS: CatalogueFileRow = [
  'tokens',
  'tokens.txt',
  436_688,
  '1165c2aeb9f72f457a83be2d459a09054f27490acd9b41bd43794dfd25e296ea',
];

/** NVIDIA Parakeet, quantized to 8 bits. */
const PARAKEET: CatalogueModel[] = [
  {
    name: 'parakeet-tdt-0.6b-v2',
    kind: 'recognizer',
    family: 'transducer',
    languages: ['en'],
    licence: 'CC-BY-4.0',
    settings: NEMO,
    about: 'English, the best of this list for its speed; times and terms',
    files: buildCatalogueFiles(
      buildSherpaHuggingFaceBaseUrl(
        'sherpa-onnx-nemo-parakeet-tdt-0.6b-v2-int8',
        'b9bd32696df49cbb1e7e499238a22804c82f9ef7',
      ),
      [
        [
          'encoder',
          'encoder.int8.onnx',
          652_184_296,
          'a32b12d17bbbc309d0686fbbcc2987b5e9b8333a7da83fa6b089f0a2acd651ab',
        ],
        [
          'decoder',
          'decoder.int8.onnx',
          7_257_753,
          'b6bb64963457237b900e496ee9994b59294526439fbcc1fecf705b31a15c6b4e',
        ],
        [
          'joiner',
          'joiner.int8.onnx',
          1_739_080,
          '7946164367946e7f9f29a122407c3252b680dbae9a51343eb2488d057c3c43d2',
        ],
        ['tokens', 'tokens.txt', 9_384, 'ec182b70dd42113aff6c5372c75cac58c952443eb22322f57bbd7f53977d497d'],
      ],
    ),
  },
  {
    name: 'parakeet-tdt-0.6b-v3',
    kind: 'recognizer',
    family: 'transducer',
    languages: PARAKEET_V3_LANGUAGES,
    licence: 'CC-BY-4.0',
    settings: NEMO,
    about: '25 European languages, as fast as v2; times and terms',
    files: buildCatalogueFiles(
      buildSherpaHuggingFaceBaseUrl(
        'sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8',
        '2bda32ec70b097a55adaa07d9a7173915b43cc78',
      ),
      [
        [
          'encoder',
          'encoder.int8.onnx',
          652_184_281,
          'acfc2b4456377e15d04f0243af540b7fe7c992f8d898d751cf134c3a55fd2247',
        ],
        [
          'decoder',
          'decoder.int8.onnx',
          11_845_275,
          '179e50c43d1a9de79c8a24149a2f9bac6eb5981823f2a2ed88d655b24248db4e',
        ],
        [
          'joiner',
          'joiner.int8.onnx',
          6_355_277,
          '3164c13fc2821009440d20fcb5fdc78bff28b4db2f8d0f0b329101719c0948b3',
        ],
        ['tokens', 'tokens.txt', 93_939, 'd58544679ea4bc6ac563d1f545eb7d474bd6cfa467f0a6e2c1dc1c7d37e3c35d'],
      ],
    ),
  },
];

/** Useful Sensors Moonshine, quantized to 8 bits. */
const MOONSHINE: CatalogueModel[] = [
  {
    name: 'moonshine-tiny-en',
    kind: 'recognizer',
    family: 'moonshine',
    languages: ['en'],
    licence: 'MIT',
    settings: {},
    about: 'English, the fastest',
    files: buildCatalogueFiles(
      buildSherpaHuggingFaceBaseUrl(
        'sherpa-onnx-moonshine-tiny-en-int8',
        'bf2b762c076d8ea61e2af0b3851c9564fb77552e',
      ),
      [
        [
          'preprocessor',
          'preprocess.onnx',
          6_800_738,
          'f33addce61a143460fe753b5ee5b7db255e5140b5b779c065b94f6c83ff0bf4e',
        ],
        [
          'encoder',
          'encode.int8.onnx',
          18_249_187,
          '8774dfba578de027ec6595c2c654a0836434489bc963a0db124a7f181f571acb',
        ],
        [
          'uncachedDecoder',
          'uncached_decode.int8.onnx',
          53_216_096,
          '216737000dd5881a17aa043f6bbd286add33e4c3b0ae257153e2ec15438bdc41',
        ],
        [
          'cachedDecoder',
          'cached_decode.int8.onnx',
          45_264_830,
          '2aff28bba6a03d8dcf5c9feac45462629bae37317442299f28115ad09da773f6',
        ],
        MOONSHINE_TOKENS,
      ],
    ),
  },
  {
    name: 'moonshine-base-en',
    kind: 'recognizer',
    family: 'moonshine',
    languages: ['en'],
    licence: 'MIT',
    settings: {},
    about: 'English, fast',
    files: buildCatalogueFiles(
      buildSherpaHuggingFaceBaseUrl(
        'sherpa-onnx-moonshine-base-en-int8',
        '052b0798ad1bf046a140fdd4efcd9426530fa3f5',
      ),
      [
        [
          'preprocessor',
          'preprocess.onnx',
          14_077_290,
          'ffa630d395c5ccf76f5d4954be5b882df76aaf6491519ec01fd82ea7a3819fb2',
        ],
        [
          'encoder',
          'encode.int8.onnx',
          50_311_494,
          '7e38770f776f2e5583a53b052936005df2ba5c833d7e09c2a5fd796b94bf73e2',
        ],
        [
          'uncachedDecoder',
          'uncached_decode.int8.onnx',
          122_120_451,
          'c01f4b35093bcac20d352d23a75a539e772964579f9d024a90e5e6f09cae9987',
        ],
        [
          'cachedDecoder',
          'cached_decode.int8.onnx',
          99_983_837,
          '2db74e51cedf64a8b1be3c8192e0bb5e4923af0e90bd9e87f8e8771873f8ea03',
        ],
        MOONSHINE_TOKENS,
      ],
    ),
  },
];

const SENSE_VOICE: CatalogueModel = {
  name: 'sense-voice',
  kind: 'recognizer',
  family: 'sense-voice',
  languages: ['zh', 'en', 'ja', 'ko', 'yue'],
  licence: 'FunASR Model License 1.1',
  settings: {},
  about: 'Chinese, Cantonese, Japanese, Korean, English; fast; times',
  files: buildCatalogueFiles(
    buildSherpaHuggingFaceBaseUrl(
      'sherpa-onnx-sense-voice-zh-en-ja-ko-yue-2024-07-17',
      '2365baeacb507f821a0c8120fcee3d484dba7a07',
    ),
    [
      [
        'model',
        'model.int8.onnx',
        239_233_841,
        'c71f0ce00bec95b07744e116345e33d8cbbe08cef896382cf907bf4b51a2cd51',
      ],
      ['tokens', 'tokens.txt', 315_894, 'f449eb28dc567533d7fa59be34e2abca8784f771850c78a47fb731a31429a1dc'],
    ],
  ),
};

/** Meta Omnilingual ASR with a CTC head, quantized to 8 bits. */
const OMNILINGUAL: CatalogueModel = {
  name: 'omnilingual-300m',
  kind: 'recognizer',
  family: 'omnilingual',
  languages: 'any',
  licence: 'Apache-2.0',
  settings: {},
  about: '1,600 languages, many of which no other model knows; no punctuation; times',
  files: buildCatalogueFiles(
    'https://huggingface.co/csukuangfj2/sherpa-onnx-omnilingual-asr-1600-languages-300M-ctc-int8-2025-11-12/resolve/6fc542a3b0661c8278cca1230c34deb989f31202',
    [
      [
        'model',
        'model.int8.onnx',
        365_352_120,
        'e7c4e54ee4c4c47829cc6667d5d00ed8ea7bef1dcfeef0fce766f77752a2726c',
      ],
      ['tokens', 'tokens.txt', 86_423, 'a7a044c52cb29cbe8b0dc1953e92cefd4ca16b0ed968177b6beab21f9a7d0b31'],
    ],
  ),
};

export const NON_WHISPER_RECOGNIZERS: CatalogueModel[] = [
  ...PARAKEET,
  ...MOONSHINE,
  CANARY_MODEL,
  SENSE_VOICE,
  OMNILINGUAL,
];
