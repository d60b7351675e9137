import { DEFAULT_JOB_OPTIONS, OUTPUT_TYPES } from '@app/jobs';
import {
  DEFAULT_CAPTION_LAYOUT,
  getExporter,
  type TranscriptDocument,
  type TranscriptTurn,
} from '@app/transcript';
import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse, ApiQuery } from '@nestjs/swagger';
import { ApiJobParam } from '../jobs/jobs.openapi.js';
import { ApiErrorCodes, ApiRoute } from '../openapi/api-route.js';
import { toSchemaRef } from '../openapi/document-types.js';
import { EXAMPLE_VALUES } from '../openapi/example-values.js';
import { CAPTION_LINE_CHARS_RANGE, MAX_CAPTION_LINES } from './parse-transcript-query.js';
import { TRANSCRIPT_ERROR_CODES } from './assert-transcript-available.js';

const EXAMPLE_TURN: TranscriptTurn = {
  start: 0.2,
  end: 1.1,
  text: 'Good morning.',
  speaker: 'SPEAKER_1',
  first_segment: 0,
  last_segment: 0,
};

const EXAMPLE_DOCUMENT: TranscriptDocument = {
  job_id: EXAMPLE_VALUES.jobId,
  schema_version: '1.1',
  created_at: EXAMPLE_VALUES.documentCreatedAt,
  model: 'zephyr',
  engine: { name: 'pocketsphinx', model: 'en-us', version: null },
  duration: 1.4,
  language: 'en',
  languages: ['en'],
  confidence: 0.9,
  text: 'Good morning.',
  speakers: [{ id: 'SPEAKER_1', name: 'Ada', duration: 0.9, channel: null }],
  segments: [
    {
      id: 0,
      start: 0.2,
      end: 1.1,
      text: 'Good morning.',
      language: 'en',
      speaker: 'SPEAKER_1',
      channel: null,
      confidence: 0.9,
      words: null,
    },
  ],
  turns: [EXAMPLE_TURN],
  paragraphs: [{ ...EXAMPLE_TURN, language: 'en' }],
  warnings: [],
  options: { ...DEFAULT_JOB_OPTIONS },
  usage: { seconds: 1.4, credits: 2 },
};

const JSON_CONTENT = { schema: toSchemaRef('TranscriptDocument'), example: EXAMPLE_DOCUMENT };
const FILE_CONTENT = { schema: { type: 'string', format: 'binary' } };

const CONTENT_BY_TYPE = Object.fromEntries(
  OUTPUT_TYPES.map((format) => {
    const [type = ''] = getExporter(format).contentType.split(';');
    return [type, format === 'json' ? JSON_CONTENT : FILE_CONTENT];
  }),
);

export function ApiGetTranscript(): MethodDecorator {
  return applyDecorators(
    ApiRoute({
      id: 'getTranscript',
      summary: 'Fetch the transcript of a completed job in any format',
      description: 'Shows the current speaker names. Runs no recognition and costs no credits.',
    }),
    ApiJobParam(),
    ApiQuery({
      name: 'format',
      required: false,
      schema: { type: 'string', enum: [...OUTPUT_TYPES] },
      description: 'The format. Default: the `output_type` of the job.',
    }),
    ApiQuery({
      name: 'max_line_chars',
      required: false,
      schema: {
        type: 'integer',
        minimum: CAPTION_LINE_CHARS_RANGE.min,
        maximum: CAPTION_LINE_CHARS_RANGE.max,
        default: DEFAULT_CAPTION_LAYOUT.lineColumns,
      },
      description: 'Columns of a caption line in srt and vtt; wide characters take two.',
    }),
    ApiQuery({
      name: 'max_lines',
      required: false,
      schema: {
        type: 'integer',
        minimum: 1,
        maximum: MAX_CAPTION_LINES,
        default: DEFAULT_CAPTION_LAYOUT.maxLines,
      },
      description: 'Lines of a caption in srt and vtt.',
    }),
    ApiOkResponse({ description: 'The file.', content: CONTENT_BY_TYPE }),
    ApiErrorCodes(
      'invalid_parameter',
      ...TRANSCRIPT_ERROR_CODES,
      'job_not_found',
      'object_not_found',
      'concurrency_limit_exceeded',
    ),
  );
}
