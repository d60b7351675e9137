import { type InvalidField, type Problem, PROBLEM_JSON_ERROR_CODES } from '@app/errors';
import type { Schema } from './document-types.js';

const textSchema = (description: string): Schema => ({ type: 'string', description });

const FIELD_ERROR = {
  field: textSchema('The field, header or query parameter, in dotted form: `parts.0.etag`.'),
  message: textSchema('What is wrong with it.'),
} satisfies Record<keyof InvalidField, Schema>;

const PROBLEM = {
  type: { type: 'string', format: 'uri', description: '`urn:zephyr:error:` and the code.' },
  title: textSchema('Summary, the same for every error with this code.'),
  status: { type: 'integer', description: 'The HTTP status.' },
  detail: textSchema('What happened in this request.'),
  code: {
    type: 'string',
    enum: [...PROBLEM_JSON_ERROR_CODES],
    description:
      'Stable machine-readable code; decide on it. New codes may be added. The reference page `/docs` lists all of them under Error codes.',
  },
  request_id: textSchema('The same as in the header `X-Request-Id`.'),
  errors: {
    type: 'array',
    items: { type: 'object', properties: FIELD_ERROR, required: ['field', 'message'] },
    description: 'The wrong fields: with status 422, and with 400 if a field is wrong.',
  },
} satisfies Record<keyof Problem, Schema>;

/** The body of every error (RFC 9457); each status restricts `status` and `code`. */
export const PROBLEM_SCHEMA: Schema = {
  type: 'object',
  properties: PROBLEM,
  required: Object.keys(PROBLEM).filter((name) => name !== 'errors'),
};
