import type { MediaType, Operation, Parameter } from '../openapi/document-types.js';

const FORM = 'multipart/form-data';

/** Of addresses -> what holds it in the shell. */
const BASES = [
  ['/api/v1', '$API'],
  ['/v1', '$OPENAI_BASE_URL'],
] as const;

/** The request as a command for a shell in which `$API`, or `$OPENAI_BASE_URL`, and `$KEY` are set. */
export function curlOf(method: string, path: string, operation: Operation, parameters: Parameter[]): string {
  const content = operation.requestBody?.content ?? {};
  const streams = Object.values(operation.responses).some(
    (response) => 'content' in response && isStreamOnly(response.content ?? {}),
  );
  const parts = [
    streams ? 'curl -sN' : 'curl -s',
    ...(method === 'get' || 'application/json' in content || FORM in content ? [] : ['-X POST']),
    ...sentBody(content),
    `"${address(path, parameters)}"`,
    ...keyOf(operation),
  ];
  return parts.join(' \\\n  ');
}

function address(path: string, parameters: Parameter[]): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`);
  const query = parameters
    .filter(({ in: place, schema }) => place === 'query' && schema.examples)
    .slice(0, 1)
    .map(({ name, schema }) => `?${name}=${String(schema.examples?.[0])}`);
  const [prefix, base] = BASES.find(([known]) => filled.startsWith(`${known}/`)) ?? ['', ''];
  return base + filled.slice(prefix.length) + query.join('');
}

/** The way that is named first. */
function keyOf({ security }: Operation): string[] {
  const [first] = security ?? [{ apiKey: [] }];
  if (first === undefined) return [];
  return [`-H "${'bearerKey' in first ? 'Authorization: Bearer' : 'X-API-Key:'} $KEY"`];
}

function isStreamOnly(content: Record<string, MediaType>): boolean {
  return Object.keys(content).join() === 'text/event-stream';
}

function sentBody(content: Record<string, MediaType>): string[] {
  const json = content['application/json'];
  if (json) return [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(exampleOf(json))}'`];
  const form = content[FORM];
  if (form) return Object.entries(exampleOf(form) as object).map((field) => formField(form, field));
  const [type] = Object.keys(content);
  return type === undefined ? [] : ['-T talk.mp3', `-H 'Content-Type: ${type}'`];
}

function formField({ schema }: MediaType, [name, value]: [string, unknown]): string {
  const isFile = schema?.properties?.[name]?.format === 'binary';
  return `-F ${name}=${isFile ? '@talk.mp3' : String(value)}`;
}

export function exampleOf({ example, examples = {} }: MediaType): unknown {
  return example ?? Object.values(examples)[0]?.value;
}
