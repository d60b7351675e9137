import { z } from 'zod';
import { flag, integer, list, secret, variable } from '../variable.js';

export const service = {
  dataDir: variable(
    'DATA_DIR',
    z.string().min(1).default('./data'),
    'Folder of everything the embedded parts keep: database, objects, secrets, the development key.',
  ),
  workDir: variable(
    'WORK_DIR',
    z.string().min(1).optional(),
    'Folder in which a processor works on audio: on a disk of its own machine, with room for the largest file times `PREPROCESS_CONCURRENCY`, and not in memory. Default: `DATA_DIR/work`.',
  ),
  secret: secret(
    'SERVICE_SECRET',
    z.string().min(32, 'must be at least 32 characters').optional(),
    'Root of every key the service derives (API key hashes, signed addresses). Without it one is made on first start and kept in `DATA_DIR/service-secret`. All processes of one installation must share it.',
  ),
  encryptionKeys: secret(
    'SIGNING_SECRET_KEYS',
    list()
      .refine(
        (keys) => keys.every((key) => key.length >= 32),
        'must hold keys of at least 32 characters each',
      )
      .refine((keys) => new Set(keys).size === keys.length, 'must not hold the same key twice')
      .default([]),
    'What signing secrets, remembered answers and webhooks on their way are encrypted under, comma-separated: the first encrypts, all of them decrypt; what `SERVICE_SECRET` gives decrypts too, and encrypts where none is set. `secrets rotate` encrypts anew under the first.',
  ),
  logLevel: variable(
    'LOG_LEVEL',
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    'Least severe level that is logged.',
  ),
  logPretty: variable(
    'LOG_PRETTY',
    flag().default(false),
    'Log lines for people instead of one JSON object a line.',
  ),
  shutdownSeconds: variable(
    'SHUTDOWN_SECONDS',
    integer(1, 600).default(25),
    'After SIGTERM: seconds that open requests and running stages get before they are ended.',
  ),
  drainSeconds: variable(
    'DRAIN_SECONDS',
    integer(0, 120).default(1),
    'After SIGTERM, and before that: seconds for which an API still takes requests while `/health/ready` answers 503, so that whoever shares them out turns away first.',
  ),
};
