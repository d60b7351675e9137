import { z } from 'zod';
import {
  createUrlSchema,
  createCommaSeparatedListSchema,
  createIntegerSchema,
  declareSecretEnvVariable,
  declareEnvVariable,
} from '../variable.js';

/** Set by the engine for each request. */
const ENGINE_FORM_FIELDS = ['file', 'model', 'response_format', 'stream', 'timestamp_granularities[]'];

/** Problems name fields, not values. */
function formFieldList() {
  return createCommaSeparatedListSchema().transform((items, context) =>
    items.map((item): readonly [name: string, value: string] => {
      const at = item.indexOf('=');
      const name = item.slice(0, Math.max(at, 0)).trim();
      if (!/^[\w.-]{1,64}(\[\])?$/.test(name))
        context.addIssue('must be form fields such as language=auto,vad_filter=true');
      else if (ENGINE_FORM_FIELDS.includes(name))
        context.addIssue(`must not have the field ${name}, which the service sets`);
      return [name, item.slice(at + 1).trim()];
    }),
  );
}

const LANGUAGE_TAG = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$/;

export const speechEnvVariables = {
  mediaSandbox: declareEnvVariable(
    'MEDIA_SANDBOX',
    z.enum(['require', 'prefer']).optional(),
    'What a processor does if the sandbox in which programs read files of callers is unavailable. `require`: it does not start. `prefer`: it starts, with a warning and a metric. Default: `require` where strangers can reach the service, that is if `HOST` or `PUBLIC_URL` is no loopback address, else `prefer` ([sandbox](operating/sandbox.md)).',
  ),
  engine: declareEnvVariable(
    'ENGINE',
    z.enum(['auto', 'pocketsphinx', 'sherpa', 'openai']).default('auto'),
    'Speech engine behind the model name `zephyr`: `pocketsphinx`, `sherpa`, `openai`, or `auto`, with which each processor chooses at its start: the server in `OPENAI_BASE_URL` if set, else the best installed recogniser for its machine, else `pocketsphinx`.',
  ),
  speechLanguages: declareEnvVariable(
    'SPEECH_LANGUAGES',
    createCommaSeparatedListSchema()
      .refine((tags) => tags.every((tag) => LANGUAGE_TAG.test(tag)), 'must be language tags such as en,de')
      .default(['en']),
    'Languages of the recordings, as BCP 47 tags, comma-separated. `ENGINE=auto` prefers a recogniser that knows them. Jobs in other languages are accepted as well.',
  ),
  modelsDir: declareEnvVariable(
    'MODELS_DIR',
    z.string().min(1).optional(),
    'Folder of model files, with one folder per model. Default: `DATA_DIR/models`.',
  ),
  modelsMirror: declareEnvVariable(
    'MODELS_MIRROR',
    createUrlSchema('http:', 'https:').optional(),
    'Server from which `models pull` downloads, under the same paths, instead of the servers in the catalogue.',
  ),
  modelsCatalogue: declareEnvVariable(
    'MODELS_CATALOGUE',
    z.string().min(1).optional(),
    'JSON file of further [models](speech/models.md) that `models pull` can download. An entry replaces the one of the same name in the catalogue.',
  ),
  sherpaModel: declareEnvVariable(
    'SHERPA_MODEL',
    z.string().min(1).optional(),
    'Recogniser of the engine `sherpa`, by its name in `models list`; `ENGINE=auto` uses it without comparing. Unset: `ENGINE=sherpa` takes the only one that is installed, `ENGINE=auto` the best.',
  ),
  sherpaThreads: declareEnvVariable(
    'SHERPA_THREADS',
    createIntegerSchema(1, 64).default(1),
    'Threads that the engine `sherpa` uses for one chunk. Chunks run in parallel, so more than one helps only on machines with many cores.',
  ),
  sherpaProvider: declareEnvVariable(
    'SHERPA_PROVIDER',
    z.enum(['cpu', 'cuda', 'coreml']).default('cpu'),
    'Where the engine `sherpa` runs its recogniser: `cpu`, `cuda` (NVIDIA GPUs, one copy of the model for each) or `coreml` (macOS). The native library from npm has no `cuda`; a processor does not start if the library or a device is missing ([GPUs](speech/sherpa.md#gpus)).',
  ),
  openaiBaseUrl: declareEnvVariable(
    'OPENAI_BASE_URL',
    createUrlSchema('http:', 'https:').optional(),
    'Base URL of a server with OpenAI’s `/audio/transcriptions`, including `/v1`, without that route, a user and a password. A query is sent with each request, and errors show it: it must have no secret. Required by the engine `openai`; with `ENGINE=auto` it selects that engine.',
  ),
  openaiApiKey: declareSecretEnvVariable(
    'OPENAI_API_KEY',
    z
      .string()
      .regex(/^[\x21-\x7e]+$/, 'must be characters that a header can carry')
      .optional(),
    'API key for that server. Unset: no key is sent.',
  ),
  openaiModel: declareEnvVariable(
    'OPENAI_MODEL',
    z.string().min(1).default('whisper-1'),
    'Name of the model on that server.',
  ),
  openaiAudioFormat: declareEnvVariable(
    'OPENAI_AUDIO_FORMAT',
    z.enum(['auto', 'flac', 'wav']).default('auto'),
    'How audio is sent to that server: `flac` (lossless, about half the bytes), or WAV where it rejects FLAC; `wav`; `auto`, which is `flac` unless the server is on this machine.',
  ),
  openaiVocabularyFields: declareEnvVariable(
    'OPENAI_VOCABULARY_FIELDS',
    createCommaSeparatedListSchema()
      .pipe(z.array(z.enum(['prompt', 'hotwords'])).min(1))
      .default(['prompt']),
    'Form fields that carry the `custom_vocabulary` of a job, comma-separated: `prompt`, `hotwords` ([which server uses which](speech/remote-servers.md)).',
  ),
  openaiFormFields: declareSecretEnvVariable(
    'OPENAI_FORM_FIELDS',
    formFieldList().default([]),
    'Further form fields of each request to that server, as `name=value`, comma-separated, such as `language=auto,vad_filter=true`. A comma within a value is `\\,`; a name may occur several times. The values are not logged.',
  ),
  openaiConcurrency: declareEnvVariable(
    'OPENAI_CONCURRENCY',
    createIntegerSchema(1, 256).default(4),
    'Requests that one processor sends to that server at the same time. `CHUNK_CONCURRENCY` must be at least as high, or it limits them.',
  ),
  openaiTimeoutSeconds: declareEnvVariable(
    'OPENAI_TIMEOUT_SECONDS',
    createIntegerSchema(1, 3600).default(120),
    'Seconds that the server may take for one chunk, and the longest `Retry-After` that is followed.',
  ),
  openaiAttempts: declareEnvVariable(
    'OPENAI_ATTEMPTS',
    createIntegerSchema(1, 20).default(4),
    'Requests for one chunk within one attempt of its stage if the server is busy, fails or cannot be reached.',
  ),
};
