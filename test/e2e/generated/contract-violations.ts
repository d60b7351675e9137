import type { DocumentedResponse, Description, Operation, Schema } from './described.js';
import type { GeneratedRequest } from './requests.js';

export interface ReceivedResponse {
  status: number;
  headers: Headers;
  /** Null for a stream, which is not read. */
  text: string | null;
}

/** Somewhat less than the 16 KiB of the request line and the headers. */
const MIN_REFUSED_PATH_LENGTH = 15_000;

/** Differences between a response and the OpenAPI document; empty if there are none. */
export function findContractViolations(
  description: Description,
  { operation, key, path }: GeneratedRequest,
  received: ReceivedResponse,
): string[] {
  const { status, headers } = received;
  // Answered before any route, so no route lists it.
  if (status === 431 && path.length > MIN_REFUSED_PATH_LENGTH) return [];
  const isUnauthorized = !operation.isPublic && (key === 'none' || key === 'invalid');
  const violations = [
    status >= 500 && `status ${status}`,
    isUnauthorized !== (status === 401) && `status ${status} with the API key "${key}"`,
    !headers.has('x-request-id') && 'no X-Request-Id',
  ];
  const documented = operation.documentedResponses[String(status)];
  if (!documented) return dropFalse([...violations, `status ${status} is not in the document`]);
  const missing = listRequiredHeaders(description, documented.headers).filter((name) => !headers.has(name));
  return dropFalse([
    ...violations,
    missing.length > 0 && `no ${missing.join(', ')}`,
    ...findBodyViolations(description, operation, received),
  ]);
}

/** Headers that every such response must have; the service under test counts requests, so rate limits are included. */
function listRequiredHeaders(
  description: Description,
  headers: DocumentedResponse['headers'] = {},
): string[] {
  const names = Object.entries(headers).map(([name, part]) => ({ name, ...description.resolve(part) }));
  return names
    .filter(({ name, required }) => required === true || name.startsWith('RateLimit-'))
    .map(({ name }) => name);
}

function findBodyViolations(
  description: Description,
  operation: Operation,
  { status, headers, text }: ReceivedResponse,
): string[] {
  const { content } = operation.documentedResponses[String(status)] ?? {};
  if (content === undefined) return text ? [`a body of ${status} that is not in the document`] : [];
  const type = (headers.get('content-type') ?? '').split(';')[0] ?? '';
  const schema = content[type]?.schema;
  if (!schema) return [`content type "${type}" of ${status} is not in the document`];
  // The document describes only the type of a response that is not JSON.
  if (text === null || !/[/+]json$/.test(type)) return [];
  const value = JSON.parse(text) as object;
  const unknown = Object.keys(value).filter((name) => !listFieldNames(description, schema).includes(name));
  const closed = listFieldNames(description, schema).length > 0 && unknown.length > 0;
  return dropFalse([
    ...description
      .findSchemaErrors(schema, value)
      .map(({ instancePath, message }) => `${instancePath} ${message} in ${text.slice(0, 300)}`),
    closed && `fields that are not in the document: ${unknown.join(', ')}`,
  ]);
}

function listFieldNames(description: Description, part: Schema): string[] {
  const { properties = {}, allOf = [] } = description.resolve(part);
  return [...Object.keys(properties), ...allOf.flatMap((inner) => listFieldNames(description, inner))];
}

function dropFalse(violations: (string | false)[]): string[] {
  return violations.filter((violation) => violation !== false);
}
