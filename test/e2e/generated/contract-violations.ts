import type { Described, Description, Operation, Schema } from './described.js';
import type { GeneratedRequest } from './requests.js';

export interface Received {
  status: number;
  headers: Headers;
  /** Null for a stream, which is not read. */
  text: string | null;
}

/** Differences between a response and the OpenAPI document; empty if there are none. */
export function findContractViolations(
  description: Description,
  { operation, key }: GeneratedRequest,
  received: Received,
): string[] {
  const { status, headers } = received;
  const isUnauthorized = !operation.isPublic && (key === 'none' || key === 'wrong');
  const problems = [
    status >= 500 && `status ${status}`,
    isUnauthorized !== (status === 401) && `status ${status} with a key that is ${key}`,
    !headers.has('x-request-id') && 'no X-Request-Id',
  ];
  const documented = operation.documentedResponses[String(status)];
  if (!documented) return withoutFalse([...problems, `status ${status} is not in the document`]);
  const missing = requiredHeaders(description, documented.headers).filter((name) => !headers.has(name));
  return withoutFalse([
    ...problems,
    missing.length > 0 && `no ${missing.join(', ')}`,
    ...bodyProblems(description, operation, received),
  ]);
}

/** Headers that every such response must have; the service under test counts requests, so rate limits are included. */
function requiredHeaders(description: Description, headers: Described['headers'] = {}): string[] {
  const names = Object.entries(headers).map(([name, part]) => ({ name, ...description.resolved(part) }));
  return names
    .filter(({ name, required }) => required === true || name.startsWith('RateLimit-'))
    .map(({ name }) => name);
}

function bodyProblems(
  description: Description,
  operation: Operation,
  { status, headers, text }: Received,
): string[] {
  const content = operation.documentedResponses[String(status)]?.content ?? {};
  const type = (headers.get('content-type') ?? '').split(';')[0] ?? '';
  const schema = content[type]?.schema;
  if (!schema) return [`content type "${type}" of ${status} is not in the document`];
  // The document describes only the type of a response that is not JSON.
  if (text === null || !/[/+]json$/.test(type)) return [];
  const value = JSON.parse(text) as object;
  const unknown = Object.keys(value).filter((name) => !namesOf(description, schema).includes(name));
  const closed = namesOf(description, schema).length > 0 && unknown.length > 0;
  return withoutFalse([
    ...description
      .problems(schema, value)
      .map(({ instancePath, message }) => `${instancePath} ${message} in ${text.slice(0, 300)}`),
    closed && `fields that are not in the document: ${unknown.join(', ')}`,
  ]);
}

function namesOf(description: Description, part: Schema): string[] {
  const { properties = {}, allOf = [] } = description.resolved(part);
  return [...Object.keys(properties), ...allOf.flatMap((inner) => namesOf(description, inner))];
}

function withoutFalse(problems: (string | false)[]): string[] {
  return problems.filter((problem) => problem !== false);
}
