import {
  type CatalogueModel,
  buildCatalogueFiles,
  type CatalogueFileRow,
  buildSherpaReleaseBaseUrl,
  buildSherpaHuggingFaceBaseUrl,
} from './catalogue-model.js';
import { WHISPER_LANGUAGE_IDENTIFICATION_MODEL } from './whisper.js';

type ModelDescription = Pick<
  CatalogueModel,
  'name' | 'kind' | 'family' | 'languages' | 'licence' | 'about' | 'recommended'
> &
  Partial<Pick<CatalogueModel, 'settings'>>;

export const AUXILIARY_MODELS: CatalogueModel[] = [
  buildSingleFileModel(
    {
      name: 'silero-vad',
      kind: 'voice-activity',
      family: 'silero',
      languages: 'any',
      licence: 'MIT',
      about: 'voice activity detection',
      recommended: true,
    },
    buildSherpaReleaseBaseUrl('asr-models'),
    ['model', 'silero_vad.onnx', 643_854, '9e2449e1087496d8d4caba907f23e0bd3f78d91fa552479bb9c23ac09cbb1fd6'],
  ),
  buildSingleFileModel(
    {
      name: 'pyannote-segmentation-3.0',
      kind: 'segmentation',
      family: 'pyannote',
      languages: 'any',
      licence: 'MIT',
      about: 'detects speaker changes and overlapping speech',
      recommended: true,
    },
    buildSherpaHuggingFaceBaseUrl(
      'sherpa-onnx-pyannote-segmentation-3-0',
      '9403a6902bb58e3d5ae8c7e77c3422de279db2e0',
    ),
    ['model', 'model.onnx', 5_992_913, '220ad67ca923bef2fa91f2390c786097bf305bceb5e261d4af67b38e938e1079'],
  ),
  buildSingleFileModel(
    {
      name: 'campplus-en',
      kind: 'embedding',
      family: 'speaker-embedding',
      languages: ['en'],
      licence: 'Apache-2.0',
      about: 'speaker embeddings (3D-Speaker CAM++)',
      // Other projects cluster with 0.9; one measured cosines of 0.74 within and 0.35 between voices.
      settings: { clusterDistance: '0.9', alike: '0.5' },
      recommended: true,
    },
    buildSherpaReleaseBaseUrl('speaker-recongition-models'),
    [
      'model',
      '3dspeaker_speech_campplus_sv_en_voxceleb_16k.onnx',
      29_596_978,
      '357a834f702b80161e5b981182c038e18553c1f2ca752ed6cec2052365d4129b',
    ],
  ),
  buildSingleFileModel(
    {
      name: 'titanet-small',
      kind: 'embedding',
      family: 'speaker-embedding',
      languages: ['en'],
      licence: 'CC-BY-4.0',
      about: 'speaker embeddings (NVIDIA TitaNet)',
      // Other projects cluster with 0.95; NeMo's threshold for one voice, 0.7, is (cosine + 1) / 2.
      settings: { clusterDistance: '0.95', alike: '0.4' },
    },
    buildSherpaReleaseBaseUrl('speaker-recongition-models'),
    [
      'model',
      'nemo_en_titanet_small.onnx',
      40_257_283,
      'ad4a1802485d8b34c722d2a9d04249662f2ece5d28a7a039063ca22f515a789e',
    ],
  ),
  buildSingleFileModel(
    {
      name: 'ct-punctuation',
      kind: 'punctuation',
      family: 'ct-transformer',
      languages: ['zh', 'en'],
      licence: 'Apache-2.0',
      about: 'punctuates Chinese and English',
    },
    // The original is only published in an archive; the checksum is that of the archived file.
    'https://huggingface.co/ranger810/sherpa-onnx-punct-ct-transformer-zh-en-vocab272727-2024-04-12-int8/resolve/5cccf43af83e4fc50d1d55b8410312e87709be70',
    [
      'model',
      'model.int8.onnx',
      75_519_198,
      '65a3fb9f5ad7bfb96bf69e0dc4481df97f6ee60513c1d94ce981ba6effd524b1',
    ],
  ),
  {
    name: 'punctuation-en',
    kind: 'punctuation',
    family: 'cnn-bilstm',
    languages: ['en'],
    licence: 'Apache-2.0',
    settings: {},
    about: 'punctuates English (Edge-Punct-Casing), small and fast',
    // The original is only published in an archive; the checksums are those of the archived files.
    files: buildCatalogueFiles(
      'https://huggingface.co/brady-pplx/sherpa-onnx-online-punct-en-2024-08-06/resolve/29a49a07620ef067e6fa40580da620c11db07b83',
      [
        [
          'model',
          'model.int8.onnx',
          7_490_500,
          '9d611f445fe4a46186080fe161be6059d87d72eb88d3a8cb00c1a06e83a6067e',
        ],
        [
          'bpeVocab',
          'bpe.vocab',
          149_430,
          'e118b7ad88c54db562517df49e1cffd4836d166c34fb190fd311d7f34eb238f5',
        ],
      ],
    ),
  },
  WHISPER_LANGUAGE_IDENTIFICATION_MODEL,
];

function buildSingleFileModel(about: ModelDescription, base: string, file: CatalogueFileRow): CatalogueModel {
  return { settings: {}, ...about, files: buildCatalogueFiles(base, [file]) };
}
