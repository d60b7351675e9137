import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse } from '@nestjs/swagger';
import { type Header, type MediaType, type Ref, type Schema, toSchemaRef } from './document-types.js';

export interface DocumentedEvent {
  event: string;
  description: string;
  /** A class with `@ApiProperty`s; `String` for plain text. */
  data: new () => object;
  id: string;
  example: unknown;
}

export interface EventStreamDescription {
  description: string;
  events: readonly DocumentedEvent[];
  headers?: Record<string, Header | Ref>;
}

/**
 * Documents a response of server-sent events. OpenAPI 3.1 has no keyword for them: their data are named schemas, and
 * `x-events` maps each event to its schema.
 */
export function ApiEventStream({
  description,
  events,
  headers = {},
}: EventStreamDescription): MethodDecorator {
  const models = events.map(({ data }) => data).filter((data) => !isText(data));
  const content: Record<string, MediaType> = {
    'text/event-stream': {
      // Generated clients use this schema as the type of each event's data.
      schema: {
        description: `Server-sent events: ${events.map(({ event }) => event).join(', ')}. The schema is that of the \`data\` of one event.`,
        anyOf: events.map(({ data }) => toEventDataSchema(data)),
      },
      example: events.map(formatEvent).join(''),
      'x-events': events.map(({ event, description: meaning, data }) => ({
        event,
        description: meaning,
        data: toEventDataSchema(data),
      })),
    },
  };
  const response = { description, headers, content } as unknown as Parameters<typeof ApiOkResponse>[0];
  return applyDecorators(ApiExtraModels(...models), ApiOkResponse(response));
}

export function toEventDataSchema(data: DocumentedEvent['data']): Schema {
  return isText(data) ? { type: 'string' } : toSchemaRef(data.name);
}

function isText(data: DocumentedEvent['data']): boolean {
  return data === (String as unknown);
}

function formatEvent({ event, id, example }: DocumentedEvent): string {
  const data = typeof example === 'string' ? example : JSON.stringify(example);
  const lines = data.split('\n').map((line) => `data: ${line}`);
  return [`event: ${event}`, `id: ${id}`, ...lines, '', ''].join('\n');
}
