import {
  type CatalogueModel,
  buildCatalogueFiles,
  type CatalogueFileRow,
  buildSherpaHuggingFaceBaseUrl,
} from './catalogue-model.js';

interface WhisperSize {
  size: string;
  commit: string;
  encoder: [bytes: number, sha256: string];
  decoder: [bytes: number, sha256: string];
  about: string;
}

const TOKENS: Record<'any' | 'en', [bytes: number, sha256: string]> = {
  any: [816_730, 'b34b360dbb493e781e479794586d661700670d65564001f23024971d1f2fa126'],
  en: [835_554, '306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930'],
};

const TINY: WhisperSize = {
  size: 'tiny',
  commit: '65176e2deb88badc814a94058666cadccc29b61c',
  encoder: [12_937_772, 'd24fb083ae3b1041fc24e97971d60e280c9342201fbb67b0ab428a8b4a51a434'],
  decoder: [89_855_401, 'd2fece8dd42771f1df975c6c0445770d0c292bf7547c2cae04a6c0cc57540925'],
  about: 'a hundred languages, the smallest',
};

const SIZES: WhisperSize[] = [
  {
    size: 'tiny.en',
    commit: 'd026532c022fa99fd789d6b32446a1df7b6bfc43',
    encoder: [12_937_772, '0ce578b827c94a961aacb8fa14b02f096504b337e5c94be37c36238cbe3e8bc6'],
    decoder: [89_853_865, '06c0e6ff6348d427e51839219d1c886c18cfdf411e629e33f5e1679bff9c1527'],
    about: 'English, the smallest',
  },
  {
    size: 'base.en',
    commit: '59eea950fc76df2453efb57e6c0fd334548e8ffe',
    encoder: [29_120_534, 'ef6b936f4c9b1d90a3b68634b60c4ed8576b26172b33c2535ec0e933c9edb823'],
    decoder: [130_669_978, 'f7162ad6db2dbef16cfaeaa7f945b9d7dd9c1b8d472f6aca82f2273d185e4d41'],
    about: 'English, small',
  },
  {
    size: 'small.en',
    commit: 'd9533f69affd85061aee349af7fea5cb2996dbbe',
    encoder: [112_442_483, '8bdac288f369aa94ee2194059238c465ed82ea9d47ee8fa4a8c0a891873e462f'],
    decoder: [262_223_042, '710ccf890e10f3faa15f51ec346081a2723c9f3adb6e4da81c6573a5a6f877fb'],
    about: 'English, slower and better',
  },
  TINY,
  {
    size: 'base',
    commit: 'bb53ee204431c90d314c1cc08d28d23e5b7927cc',
    encoder: [29_120_534, '0b8fb1304b6109976038efff5ace81720e00386f3ff6b54ee8c75291ca0a1e11'],
    decoder: [130_672_026, '9759d217388a01b3a4c7c15533201067b48ae819c4daafc8624e64b9409dc02d'],
    about: 'a hundred languages, small',
  },
  {
    size: 'small',
    commit: '8f3c18b358db4d1f2fc1eae49d75cd20989e4309',
    encoder: [112_442_483, '4cbe7b22fa9026b843b60a68640c747de05bafb1a11b57edc0e66c232d9f33a9'],
    decoder: [262_226_114, 'acad50b5c782696e91b55914cc5ab4f756f1532f76e22aa6fc615f39fb69a8ee'],
    about: 'a hundred languages, slower and better',
  },
  {
    size: 'medium',
    commit: '8c31d28503847560985df21f90e14f0c736e075e',
    encoder: [374_196_283, '1c54582b4d829de0089f6cb63bbbdb3bf7555398bacaf855fbecf1a84dfd193e'],
    decoder: [571_059_257, '595d00a338a365a7bfa0ca7f296cabc639583bef770ab6130df90f49a6412747'],
    about: 'a hundred languages, slow',
  },
  {
    size: 'turbo',
    commit: '2ca6ff69fc878651b770880507669577ac41c2ff',
    encoder: [674_716_297, 'b02dcdf54f348741e93fe732b67d933c8dcb6735655f710640143081db38878b'],
    decoder: [361_080_764, '20accd02388482eb3a46bd615631adfdc85e1eb2c7db9ea3f02a40ffe6b81547'],
    about: 'a hundred languages, the best of the family (large-v3-turbo)',
  },
];

/** OpenAI Whisper, quantized to 8 bits. */
export const WHISPER_MODELS: CatalogueModel[] = SIZES.map((entry) => {
  const languages = entry.size.endsWith('.en') ? 'en' : 'any';
  return {
    name: `whisper-${entry.size}`,
    kind: 'recognizer',
    family: 'whisper',
    languages: languages === 'any' ? 'any' : [languages],
    licence: 'MIT',
    settings: {},
    about: entry.about,
    files: buildWhisperFiles(entry, ['tokens', `${entry.size}-tokens.txt`, ...TOKENS[languages]]),
  };
});

/** Used for the language only. */
export const WHISPER_LANGUAGE_IDENTIFICATION_MODEL: CatalogueModel = {
  name: 'whisper-tiny-language',
  kind: 'language',
  family: 'whisper-language',
  languages: 'any',
  licence: 'MIT',
  settings: {},
  about: 'identifies the spoken language',
  files: buildWhisperFiles(TINY),
};

function buildWhisperFiles({ size, commit, encoder, decoder }: WhisperSize, ...more: CatalogueFileRow[]) {
  return buildCatalogueFiles(buildSherpaHuggingFaceBaseUrl(`sherpa-onnx-whisper-${size}`, commit), [
    ['encoder', `${size}-encoder.int8.onnx`, ...encoder],
    ['decoder', `${size}-decoder.int8.onnx`, ...decoder],
    ...more,
  ]);
}
