import type { MediaType, Operation, Parameter } from '../openapi/document-types.js';

const PREFIX = '/api/v1';

/** The request as a command for a shell in which `$API` and `$KEY` are set. */
export function curlOf(method: string, path: string, operation: Operation, parameters: Parameter[]): string {
  const needsKey = operation.security?.length !== 0;
  const content = operation.requestBody?.content ?? {};
  const streams = Object.values(operation.responses).some(
    (response) => 'content' in response && response.content?.['text/event-stream'],
  );
  const parts = [
    streams ? 'curl -sN' : 'curl -s',
    ...(method === 'get' || 'application/json' in content ? [] : ['-X POST']),
    ...sentBody(content),
    `"${address(path, parameters)}"`,
    ...(needsKey ? ['-H "X-API-Key: $KEY"'] : []),
  ];
  return parts.join(' \\\n  ');
}

function address(path: string, parameters: Parameter[]): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`);
  const query = parameters
    .filter(({ in: place, schema }) => place === 'query' && schema.examples)
    .slice(0, 1)
    .map(({ name, schema }) => `?${name}=${String(schema.examples?.[0])}`);
  return (filled.startsWith(PREFIX) ? `$API${filled.slice(PREFIX.length)}` : filled) + query.join('');
}

function sentBody(content: Record<string, MediaType>): string[] {
  const json = content['application/json'];
  if (json) return [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(exampleOf(json))}'`];
  const [type] = Object.keys(content);
  return type === undefined ? [] : ['-T talk.mp3', `-H 'Content-Type: ${type}'`];
}

export function exampleOf({ example, examples = {} }: MediaType): unknown {
  return example ?? Object.values(examples)[0]?.value;
}
