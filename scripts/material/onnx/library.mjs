import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ctTransformer } from './models/ct-transformer.mjs';
import { mergedMoonshine, moonshine } from './models/moonshine.mjs';
import { pyannoteSegmentation } from './models/pyannote.mjs';
import { senseVoice } from './models/sense-voice.mjs';
import { olderSileroVoiceActivity, sileroVoiceActivity } from './models/silero.mjs';
import { speakerEmbedding } from './models/speaker-embedding.mjs';
import { nemoTransducer, zipformerTransducer } from './models/transducer.mjs';
import { whisper } from './models/whisper.mjs';

/**
 * Tiny models in the form of real ones, for tests that go through the native library. They are driven by sound: see
 * `tones.mjs`, and `voices.mjs` for those beside the recognisers. A name -> its files, what its manifest says, and the roles of its files.
 */
const MODELS = {
  'tiny-whisper': {
    make: () => whisper({ attention: false }),
    family: 'whisper',
    languages: ['en', 'zh'],
    roles: { encoder: 'encoder.onnx', decoder: 'decoder.onnx', tokens: 'tokens.txt' },
  },
  'tiny-whisper-attention': {
    make: () => whisper({ attention: true }),
    family: 'whisper',
    languages: ['en', 'zh'],
    settings: { timestamps: 'token' },
    roles: { encoder: 'encoder.onnx', decoder: 'decoder.onnx', tokens: 'tokens.txt' },
  },
  'tiny-parakeet': {
    make: nemoTransducer,
    family: 'transducer',
    languages: ['en'],
    settings: { modelType: 'nemo_transducer' },
    roles: { encoder: 'encoder.onnx', decoder: 'decoder.onnx', joiner: 'joiner.onnx', tokens: 'tokens.txt' },
  },
  'tiny-zipformer': {
    make: zipformerTransducer,
    family: 'transducer',
    languages: ['en'],
    settings: { modelType: 'transducer' },
    roles: { encoder: 'encoder.onnx', decoder: 'decoder.onnx', joiner: 'joiner.onnx', tokens: 'tokens.txt' },
  },
  'tiny-moonshine': {
    make: moonshine,
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
    make: mergedMoonshine,
    family: 'moonshine',
    languages: ['en'],
    roles: { encoder: 'encoder.onnx', mergedDecoder: 'decoder.onnx', tokens: 'tokens.txt' },
  },
  'tiny-sense-voice': {
    make: senseVoice,
    family: 'sense-voice',
    languages: ['en', 'zh'],
    roles: { model: 'model.onnx', tokens: 'tokens.txt' },
  },
  'tiny-silero': {
    make: () => ({ 'model.onnx': sileroVoiceActivity() }),
    kind: 'voice-activity',
    family: 'silero',
    languages: 'any',
    roles: { model: 'model.onnx' },
  },
  'tiny-silero-four': {
    make: () => ({ 'model.onnx': olderSileroVoiceActivity() }),
    kind: 'voice-activity',
    family: 'silero',
    languages: 'any',
    roles: { model: 'model.onnx' },
  },
  'tiny-pyannote': {
    make: () => ({ 'model.onnx': pyannoteSegmentation() }),
    kind: 'segmentation',
    family: 'pyannote',
    languages: 'any',
    roles: { model: 'model.onnx' },
  },
  'tiny-voices': {
    make: () => ({ 'model.onnx': speakerEmbedding() }),
    kind: 'embedding',
    family: 'speaker-embedding',
    languages: 'any',
    roles: { model: 'model.onnx' },
  },
  'tiny-punctuation': {
    make: () => ({ 'model.onnx': ctTransformer({ there: '，', you: '？', fine: '。', 吗: '？', 好: '。' }) }),
    kind: 'punctuation',
    family: 'ct-transformer',
    languages: ['en', 'zh'],
    roles: { model: 'model.onnx' },
  },
  'tiny-language': {
    make: () => {
      const { 'encoder.onnx': encoder, 'decoder.onnx': decoder } = whisper({ attention: false });
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
  const { make, family, kind = 'recognizer', languages, settings = {}, roles } = MODELS[name];
  const home = join(folder, name);
  await mkdir(home, { recursive: true });
  const contents = make();
  const files = Object.entries(roles).map(([role, path]) => ({
    role,
    path,
    bytes: contents[path].length,
    sha256: createHash('sha256').update(contents[path]).digest('hex'),
  }));
  for (const [path, bytes] of Object.entries(contents)) await writeFile(join(home, path), bytes);
  const manifest = {
    name,
    kind,
    family,
    languages,
    licence: 'none: made by scripts/material/onnx',
    settings,
    files,
  };
  await writeFile(join(home, 'model.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return home;
}
