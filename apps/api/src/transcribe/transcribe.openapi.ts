import { MODELS, OUTPUT_TYPES, TIERS } from '@app/jobs';
import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiProduces, ApiQuery } from '@nestjs/swagger';
import { AUDIO_TYPES } from './audio-body.js';

const option = (name: string, schema: object, description: string) =>
  ApiQuery({ name, required: false, schema, description });
const flag = (name: string, description: string) =>
  option(name, { type: 'boolean', default: true }, description);

/** The description of the route: its options are query parameters, its body is audio, its answer a stream. */
export function ApiTranscribe(): MethodDecorator {
  return applyDecorators(
    option('model', { type: 'string', enum: MODELS, default: 'zephyr' }, 'The only model available.'),
    option(
      'output_type',
      { type: 'string', enum: OUTPUT_TYPES, default: 'json' },
      'Format of the transcript.',
    ),
    flag('word_timestamps', 'Start and end of every word.'),
    flag('speaker_labels', 'Who speaks when.'),
    flag('nltk', 'Punctuation and sentences.'),
    option('tier', { type: 'string', enum: TIERS, default: 'standard' }, 'The only tier available.'),
    option('custom_vocabulary', { type: 'string' }, 'Terms to listen for, separated by commas.'),
    option('callback_url', { type: 'string', format: 'uri' }, 'http or https webhook.'),
    ApiConsumes(...AUDIO_TYPES),
    ApiBody({ required: true, schema: { type: 'string', format: 'binary' } }),
    ApiProduces('text/event-stream'),
    ApiOkResponse({
      description: 'accepted, progress, completed or failed, transcript',
      headers: { 'X-Job-Id': { schema: { type: 'string', format: 'uuid' } } },
    }),
  );
}
