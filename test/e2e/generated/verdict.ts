import type { Described, Description, Operation, Schema } from './described.js';
import type { GeneratedRequest } from './requests.js';

export interface Received {
  status: number;
  headers: Headers;
  /** Null for a stream, which is not read. */
  text: string | null;
}

/** What an answer does that the document does not say, or leaves out that it says; empty when all is well. */
export function verdict(
  description: Description,
  { operation, key }: GeneratedRequest,
  received: Received,
): string[] {
  const { status, headers } = received;
  const refused = !operation.isPublic && (key === 'none' || key === 'wrong');
  const found = [
    status >= 500 && `status ${status}`,
    refused !== (status === 401) && `status ${status} with a key that is ${key}`,
    !headers.has('x-request-id') && 'no X-Request-Id',
  ];
  const said = operation.answers[String(status)];
  if (!said) return told([...found, `status ${status} is not in the document`]);
  const missing = promised(description, said.headers).filter((name) => !headers.has(name));
  return told([
    ...found,
    missing.length > 0 && `no ${missing.join(', ')}`,
    ...bodyProblems(description, operation, received),
  ]);
}

/** Those that every such answer has; in the service under test requests are counted. */
function promised(description: Description, headers: Described['headers'] = {}): string[] {
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
  const content = operation.answers[String(status)]?.content ?? {};
  const type = (headers.get('content-type') ?? '').split(';')[0] ?? '';
  const schema = content[type]?.schema;
  if (!schema) return [`content type "${type}" of ${status} is not in the document`];
  // Of a file that is no JSON its type is all that is said.
  if (text === null || !/[/+]json$/.test(type)) return [];
  const value = JSON.parse(text) as object;
  const unknown = Object.keys(value).filter((name) => !namesOf(description, schema).includes(name));
  const closed = namesOf(description, schema).length > 0 && unknown.length > 0;
  return told([
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

function told(found: (string | false)[]): string[] {
  return found.filter((problem) => problem !== false);
}
