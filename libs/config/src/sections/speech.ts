import { z } from 'zod';
import { address, integer, secret, variable } from '../variable.js';

export const speech = {
  engine: variable(
    'ENGINE',
    z.enum(['pocketsphinx', 'sherpa', 'openai']).default('pocketsphinx'),
    'Engine behind the model name `zephyr`.',
  ),
  modelsDir: variable(
    'MODELS_DIR',
    z.string().min(1).optional(),
    'Folder of model files, one folder a model. Default: `DATA_DIR/models`.',
  ),
  modelsMirror: variable(
    'MODELS_MIRROR',
    address('http:', 'https:').optional(),
    'Server from which `models pull` fetches instead of those in its list; it has the files under the same paths.',
  ),
  sherpaModel: variable(
    'SHERPA_MODEL',
    z.string().min(1).optional(),
    'Recogniser that the engine `sherpa` uses, by its name in `models list`. Unset: the only one that is installed.',
  ),
  sherpaThreads: variable(
    'SHERPA_THREADS',
    integer(1, 64).default(1),
    'Threads that the engine `sherpa` gives to one chunk. Chunks run side by side, so more helps only on many cores.',
  ),
  openaiBaseUrl: variable(
    'OPENAI_BASE_URL',
    address('http:', 'https:').optional(),
    'Address of a server that speaks OpenAI’s `/audio/transcriptions`, up to and with `/v1`. The engine `openai` needs it.',
  ),
  openaiApiKey: secret(
    'OPENAI_API_KEY',
    z
      .string()
      .regex(/^[\x21-\x7e]+$/, 'must be characters that a header can carry')
      .optional(),
    'Key that this server asks for. Unset: none is sent.',
  ),
  openaiModel: variable(
    'OPENAI_MODEL',
    z.string().min(1).default('whisper-1'),
    'Name of the model on this server.',
  ),
  openaiConcurrency: variable(
    'OPENAI_CONCURRENCY',
    integer(1, 256).default(4),
    'Requests that one processor sends to this server at once; `CHUNK_CONCURRENCY` has to be as high.',
  ),
  openaiTimeoutSeconds: variable(
    'OPENAI_TIMEOUT_SECONDS',
    integer(1, 3600).default(120),
    'Seconds that this server may take for one chunk; also the longest wait that it is granted by `Retry-After`.',
  ),
  openaiAttempts: variable(
    'OPENAI_ATTEMPTS',
    integer(1, 20).default(4),
    'Tries of one chunk within one start of its stage, when the server is busy, broken or not there.',
  ),
};
