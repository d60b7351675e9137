import { buildErrorReferenceRows } from '../errors/error-reference.js';
import type { ApiDocument, EventShape, Operation } from '../openapi/document-types.js';

/** The base URL in the guide's commands, which the page replaces by that of the service. */
const EXAMPLE_URL = 'http://127.0.0.1:3000';

/** Tags whose titles are not their names with a capital. */
const TITLES: Record<string, string> = { openai: 'OpenAI' };

/**
 * The OpenAPI document as the reference page shows it: with the URL of this service in the commands, the list of error
 * codes in the introduction, and the events of streams, which OpenAPI 3.1 cannot describe, in the text of their routes.
 *
 * @param baseUrl where callers reach the service
 */
export function referenceDocument(document: ApiDocument, baseUrl = EXAMPLE_URL): ApiDocument {
  const shown = structuredClone(document);
  const { info } = shown;
  info.description = [
    `Interface version ${info.version}, served by ${info.title} ${info['x-package-version']}. For programs: [the OpenAPI document](api/v1/openapi.json).`,
    info.description.replaceAll(EXAMPLE_URL, baseUrl.replace(/\/$/, '')),
    errorCodes(),
  ].join('\n\n');
  shown.tags = shown.tags.map((tag) => ({ ...tag, 'x-displayName': titleOf(tag.name) }));
  for (const operation of Object.values(shown.paths).flatMap(Object.values)) describeEvents(operation);
  return shown;
}

function titleOf(tag: string): string {
  return TITLES[tag] ?? tag.charAt(0).toUpperCase() + tag.slice(1);
}

/** A list, not a table: the page gives text no more than half of its width. */
function errorCodes(): string {
  const lines = buildErrorReferenceRows().map(({ status, code, openAi, when, remedy, retry }) => {
    const openAiForm = openAi === undefined ? '' : ` Below \`/v1\`: ${openAi}.`;
    return `- ${status} \`${code}\`: ${when} ${remedy} Retry unchanged: ${retry}.${openAiForm}`;
  });
  return [
    '### Error codes',
    'Decide on the `code`; it never changes. After a 500, a 503 or a lost connection, retry a create only with its `Idempotency-Key`.',
    lines.join('\n'),
  ].join('\n\n');
}

function describeEvents(operation: Operation): void {
  const media = Object.values(operation.responses).flatMap((response) =>
    'content' in response ? Object.values(response.content ?? {}) : [],
  );
  for (const { 'x-events': events } of media)
    if (events) operation.description = [operation.description ?? '', eventTable(events)].join('\n\n');
}

function eventTable(events: EventShape[]): string {
  const rows = events.map(({ event, data, description }) => [
    `\`${event}\``,
    data.$ref === undefined ? 'text' : `\`${data.$ref.slice(data.$ref.lastIndexOf('/') + 1)}\``,
    description,
  ]);
  return [['Event', 'Data', 'Meaning'], ['---', '---', '---'], ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
}
