import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeCanary } from './models/canary.mjs';
import { makeCnnBilstm } from './models/cnn-bilstm.mjs';
import { makeCtTransformer } from './models/ct-transformer.mjs';
import { makeMergedMoonshine, makeMoonshine } from './models/moonshine.mjs';
import { makeOmnilingual } from './models/omnilingual.mjs';
import { makePyannoteSegmentation } from './models/pyannote.mjs';
import { makeSenseVoice } from './models/sense-voice.mjs';
import { makeSileroVersion4, makeSileroVersion5 } from './models/silero.mjs';
import { makeSpeakerEmbedding } from './models/speaker-embedding.mjs';
import { makeNemoTransducer, makeZipformerTransducer } from './models/transducer.mjs';
import { makeWhisper } from './models/whisper.mjs';

/**
 * Tiny models with the interface of real ones, for tests that use the native library. Recognisers detect the tones of
 * `tones.mjs`, auxiliary models those of `voices.mjs`.
 */
const MODELS = {
  'tiny-whisper': {
    makeFiles: () => makeWhisper({ attention: false }),
    family: 'whisper',
    languages: ['en', 'zh'],
    roles: { encoder: 'encoder.onnx', decoder: 'decoder.onnx', tokens: 'tokens.txt' },
  },
  'tiny-whisper-attention': {
    makeFiles: () => makeWhisper({ attention: true }),
    family: 'whisper',
    languages: ['en', 'zh'],
    settings: { timestamps: 'token' },
    roles: { encoder: 'encoder.onnx', decoder: 'decoder.onnx', tokens: 'tokens.txt' },
  },
  'tiny-parakeet': {
    makeFiles: makeNemoTransducer,
    family: 'transducer',
    languages: ['en'],
    settings: { modelType: 'nemo_transducer' },
    roles: { encoder: 'encoder.onnx', decoder: 'decoder.onnx', joiner: 'joiner.onnx', tokens: 'tokens.txt' },
  },
  'tiny-zipformer': {
    makeFiles: makeZipformerTransducer,
    family: 'transducer',
    languages: ['en'],
    settings: { modelType: 'transducer' },
    roles: { encoder: 'encoder.onnx', decoder: 'decoder.onnx', joiner: 'joiner.onnx', tokens: 'tokens.txt' },
  },
  'tiny-moonshine': {
    makeFiles: makeMoonshine,
    family: 'moonshine',
    languages: ['en'],
    roles: {
      preprocessor: 'preprocess.onnx',
      encoder: 'encode.onnx',
      uncachedDecoder: 'uncached_decode.onnx',
      cachedDecoder: 'cached_decode.onnx',
      tokens: 'tokens.txt',
    },
  },
  'tiny-moonshine-merged': {
    makeFiles: makeMergedMoonshine,
    family: 'moonshine',
    languages: ['en'],
    roles: { encoder: 'encoder.onnx', mergedDecoder: 'decoder.onnx', tokens: 'tokens.txt' },
  },
  'tiny-sense-voice': {
    makeFiles: makeSenseVoice,
    family: 'sense-voice',
    languages: ['en', 'zh'],
    roles: { model: 'model.onnx', tokens: 'tokens.txt' },
  },
  'tiny-omnilingual': {
    makeFiles: makeOmnilingual,
    family: 'omnilingual',
    languages: 'any',
    roles: { model: 'model.onnx', tokens: 'tokens.txt' },
  },
  'tiny-canary': {
    makeFiles: makeCanary,
    family: 'canary',
    languages: ['en'],
    settings: { language: 'en' },
    roles: { encoder: 'encoder.onnx', decoder: 'decoder.onnx', tokens: 'tokens.txt' },
  },
  'tiny-silero': {
    makeFiles: () => ({ 'model.onnx': makeSileroVersion5() }),
    kind: 'voice-activity',
    family: 'silero',
    languages: 'any',
    roles: { model: 'model.onnx' },
  },
  'tiny-silero-four': {
    makeFiles: () => ({ 'model.onnx': makeSileroVersion4() }),
    kind: 'voice-activity',
    family: 'silero',
    languages: 'any',
    roles: { model: 'model.onnx' },
  },
  'tiny-pyannote': {
    makeFiles: () => ({ 'model.onnx': makePyannoteSegmentation() }),
    kind: 'segmentation',
    family: 'pyannote',
    languages: 'any',
    roles: { model: 'model.onnx' },
  },
  'tiny-voices': {
    makeFiles: () => ({ 'model.onnx': makeSpeakerEmbedding() }),
    kind: 'embedding',
    family: 'speaker-embedding',
    languages: 'any',
    roles: { model: 'model.onnx' },
  },
  'tiny-punctuation': {
    makeFiles: () => ({
      'model.onnx': makeCtTransformer({ there: '，', you: '？', fine: '。', 吗: '？', 好: '。' }),
    }),
    kind: 'punctuation',
    family: 'ct-transformer',
    languages: ['en', 'zh'],
    roles: { model: 'model.onnx' },
  },
  'tiny-punctuation-en': {
    makeFiles: () => makeCnnBilstm({ there: ',', you: '?', fine: '.' }),
    kind: 'punctuation',
    family: 'cnn-bilstm',
    languages: ['en'],
    roles: { model: 'model.onnx', bpeVocab: 'bpe.vocab' },
  },
  'tiny-language': {
    makeFiles: () => {
      const { 'encoder.onnx': encoder, 'decoder.onnx': decoder } = makeWhisper({ attention: false });
      return { 'encoder.onnx': encoder, 'decoder.onnx': decoder };
    },
    kind: 'language',
    family: 'whisper-language',
    languages: ['en', 'zh'],
    roles: { encoder: 'encoder.onnx', decoder: 'decoder.onnx' },
  },
};

/**
 * Writes a model with its manifest into `folder`/`name`.
 * @param {string} folder @param {string} name a key of `MODELS`
 * @returns {Promise<string>} the folder of the model
 */
export async function makeModel(folder, name) {
  const { makeFiles, family, kind = 'recognizer', languages, settings = {}, roles } = MODELS[name];
  const modelFolder = join(folder, name);
  await mkdir(modelFolder, { recursive: true });
  const contents = makeFiles();
  const files = Object.entries(roles).map(([role, path]) => ({
    role,
    path,
    bytes: contents[path].length,
    sha256: createHash('sha256').update(contents[path]).digest('hex'),
  }));
  for (const [path, bytes] of Object.entries(contents)) await writeFile(join(modelFolder, path), bytes);
  const manifest = {
    name,
    kind,
    family,
    languages,
    licence: 'none: made by scripts/material/onnx',
    settings,
    files,
  };
  await writeFile(join(modelFolder, 'model.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return modelFolder;
}
