import { buildErrorReferenceRows } from '../errors/error-reference.js';
import type { ApiDocument, StreamEventDescription, Operation } from '../openapi/document-types.js';

/** The base URL in the commands of the guide. */
const EXAMPLE_URL = 'http://127.0.0.1:3000';

const TITLES: Record<string, string> = { openai: 'OpenAI' };

/**
 * Builds the OpenAPI document for the reference page: with the URL of this service in commands, the error codes in the
 * introduction, and stream events, which OpenAPI 3.1 cannot describe, in the description of their routes.
 */
export function toReferencePageDocument(document: ApiDocument, baseUrl = EXAMPLE_URL): ApiDocument {
  const copy = structuredClone(document);
  const { info } = copy;
  info.description = [
    `Interface version ${info.version}, served by ${info.title} ${info['x-package-version']}. For programs: [the OpenAPI document](api/v1/openapi.json).`,
    info.description.replaceAll(EXAMPLE_URL, baseUrl.replace(/\/$/, '')),
    renderErrorCodes(),
  ].join('\n\n');
  copy.tags = copy.tags.map((tag) => ({ ...tag, 'x-displayName': toTagTitle(tag.name) }));
  for (const operation of Object.values(copy.paths).flatMap(Object.values)) describeEvents(operation);
  return copy;
}

function toTagTitle(tag: string): string {
  return TITLES[tag] ?? tag.charAt(0).toUpperCase() + tag.slice(1);
}

/** A list, because the page shows text at half of its width. */
function renderErrorCodes(): string {
  const apiRows = buildErrorReferenceRows().filter(({ isConsoleOnly }) => !isConsoleOnly);
  const lines = apiRows.map(({ status, code, openAi, when, remedy, retry }) => {
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
    if (events) operation.description = [operation.description ?? '', renderEventTable(events)].join('\n\n');
}

function renderEventTable(events: StreamEventDescription[]): string {
  const rows = events.map(({ event, data, description }) => [
    `\`${event}\``,
    data.$ref === undefined ? 'text' : `\`${data.$ref.slice(data.$ref.lastIndexOf('/') + 1)}\``,
    description,
  ]);
  return [['Event', 'Data', 'Meaning'], ['---', '---', '---'], ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
}
