import { z } from 'zod';
import { integer, variable } from '../variable.js';

export const speech = {
  engine: variable(
    'ENGINE',
    z.enum(['pocketsphinx']).default('pocketsphinx'),
    'Engine behind the model name `zephyr`.',
  ),
  modelsDir: variable(
    'MODELS_DIR',
    z.string().min(1).optional(),
    'Folder of model files, one folder a model. Default: `DATA_DIR/models`.',
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
};
