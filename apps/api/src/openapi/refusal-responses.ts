import { CATALOGUE, type ErrorCode, invalidField, ServiceError } from '@app/errors';
import { type Refusal, refusalOf } from '../errors/refusal.js';
import { RESPONSE_FORMATS } from '../openai/form/transcription-form.js';
import { isOpenAiAddress } from '../openai/openai-refusal.js';
import {
  type Components,
  type Header,
  type MediaType,
  type Ref,
  type Response,
  schemaRef,
} from './document-types.js';
import { EXAMPLE } from './examples.js';
import { headerRefs } from './headers.js';
import { type RefusalDialect, refusalDialect } from './refusal-dialect.js';

export interface RefusingRoute {
  /** Decides in which form refusals are told, as it does for the service. */
  path: string;
  /** Whether its requests are counted. */
  isLimited: boolean;
  /** Headers that its refusals may have. */
  headers: Record<string, Header | Ref>;
}

interface Told {
  code: ErrorCode;
  refusal: Refusal;
}

/**
 * One response a status, for all codes that are told with that status. What one code alone makes up is kept in
 * `components` and referred to, where most routes share it.
 */
export function refusalResponses(
  codes: readonly ErrorCode[],
  route: RefusingRoute,
  components: Components,
): Record<string, Response | Ref> {
  const dialect = refusalDialect(route.path);
  const all = [...new Set(codes)].map((code): Told => ({ code, refusal: exampleOf(code, route.path) }));
  const statuses = [...new Set(all.map(({ refusal }) => refusal.status))];
  const responses = statuses.map((status) => {
    const same = all.filter(({ refusal }) => refusal.status === status);
    const response = responseOf(status, same, route, dialect);
    return [String(status), dialect.shared ? shared(same, response, components) : response];
  });
  return Object.fromEntries(responses) as Record<string, Response | Ref>;
}

function shared([told, ...more]: Told[], response: Response, components: Components): Response | Ref {
  if (told === undefined || more.length > 0) return response;
  const name = told.code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  components.responses[name] = response;
  return { $ref: `#/components/responses/${name}` };
}

function responseOf(
  status: number,
  told: Told[],
  { isLimited, headers }: RefusingRoute,
  dialect: RefusalDialect,
): Response {
  const names = ['X-Request-Id'];
  // A key that is not valid has no count; whatever else is refused was counted before.
  if (isLimited && status !== 401) names.push('RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset');
  return {
    description: told.map(({ code }) => CATALOGUE[code].title).join(' Or: '),
    headers: { ...headerRefs(...names), ...dialect.headers(status), ...headers },
    content: { [contentType(told)]: contentOf(status, told, dialect) },
  };
}

/** Without its parameters. */
function contentType([told]: Told[]): string {
  return String(told?.refusal.headers['content-type']).split(';')[0] ?? '';
}

function contentOf(status: number, told: Told[], dialect: RefusalDialect): MediaType {
  const bodies = told.map(({ refusal }) => refusal.body);
  const examples = told.map(({ code, refusal: { body } }) => [
    dialect.codeOf(body),
    { summary: CATALOGUE[code].title, value: body },
  ]);
  return {
    schema: { allOf: [schemaRef(dialect.schema), dialect.narrowed(status, bodies)] },
    examples: Object.fromEntries(examples) as MediaType['examples'],
  };
}

function exampleOf(code: ErrorCode, path: string): Refusal {
  return refusalOf(exampleError(code, path), { url: path, id: EXAMPLE.requestId });
}

/** Names a field that the route has, where the code is about a field. */
function exampleError(code: ErrorCode, path: string): ServiceError {
  if (code !== 'validation_failed') return new ServiceError(code);
  if (isOpenAiAddress(path))
    return invalidField('response_format', `must be one of: ${RESPONSE_FORMATS.join(', ')}`);
  return invalidField('output_type', 'must be one of: json, txt, srt, vtt, docx, pdf');
}
