import { CATALOGUE, type ErrorCode, invalidField, ServiceError, toProblem } from '@app/errors';
import { PROBLEM_TYPE } from './api-route.js';
import { type Components, type MediaType, type Ref, type Response, schemaRef } from './document-types.js';
import { EXAMPLE } from './examples.js';
import { headerRefs } from './headers.js';

/** What is sent along with some statuses. */
const RETRY_AFTER_STATUSES = [409, 429, 503];

/**
 * One response a status, for all codes of that status. What one code alone makes up is kept in `components` and
 * referred to, as most routes share it.
 */
export function problemResponses(
  codes: readonly ErrorCode[],
  components: Components,
): Record<string, Response | Ref> {
  const statuses = new Set(codes.map((code) => CATALOGUE[code].status));
  const responses = [...statuses].map((status) => {
    const same = [...new Set(codes)].filter((code) => CATALOGUE[code].status === status);
    return [String(status), shared(same, responseOf(status, same), components)];
  });
  return Object.fromEntries(responses) as Record<string, Response | Ref>;
}

function shared([code, ...more]: ErrorCode[], response: Response, components: Components): Response | Ref {
  if (code === undefined || more.length > 0) return response;
  const name = code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  components.responses[name] = response;
  return { $ref: `#/components/responses/${name}` };
}

function responseOf(status: number, codes: ErrorCode[]): Response {
  const names = ['X-Request-Id'];
  // A key that is not valid has no count; whatever else is refused was counted before.
  if (status !== 401) names.push('RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset');
  if (RETRY_AFTER_STATUSES.includes(status)) names.push('Retry-After');
  return {
    description: codes.map((code) => CATALOGUE[code].title).join(' Or: '),
    headers: headerRefs(...names),
    content: { [PROBLEM_TYPE]: problemContent(status, codes) },
  };
}

function problemContent(status: number, codes: ErrorCode[]): MediaType {
  const narrowed = { properties: { status: { const: status }, code: { enum: codes } } };
  const examples = codes.map((code) => [
    code,
    { summary: CATALOGUE[code].title, value: toProblem(exampleError(code), EXAMPLE.requestId) },
  ]);
  return {
    schema: { allOf: [schemaRef('Problem'), narrowed] },
    examples: Object.fromEntries(examples) as MediaType['examples'],
  };
}

function exampleError(code: ErrorCode): ServiceError {
  if (code === 'validation_failed')
    return invalidField('output_type', 'must be one of: json, txt, srt, vtt, docx, pdf');
  return new ServiceError(code);
}
