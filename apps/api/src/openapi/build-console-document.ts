import { TRANSCRIPT_OPENAPI_SCHEMAS } from '@app/transcript';
import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ConsoleModule } from '../console/console.module.js';
import { collectHandlerMetadata, toHandlerKey } from './collect-handler-metadata.js';
import type { ApiDocument } from './document-types.js';
import { RESPONSE_HEADER_COMPONENTS } from './headers.js';
import { PROBLEM_SCHEMA } from './problem-schema.js';

const PROBLEM_RESPONSE = {
  description: 'The request failed; `code` says why.',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

const DESCRIPTION =
  'The routes of the console, for the console only: they change with it, without notice. A request that changes something needs the header `X-Console: 1`.';

/** Builds the OpenAPI document from which the client of the console is generated. */
export function buildConsoleDocument(app: INestApplication): OpenAPIObject {
  const handlers = collectHandlerMetadata(app);
  const base = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('zephyr console')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .addCookieAuth('__Host-zephyr_session')
    .build();
  const document = SwaggerModule.createDocument(app, base, {
    operationIdFactory: toHandlerKey,
    include: [ConsoleModule],
  });
  const { paths, components } = document as unknown as ApiDocument;
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const handler = handlers.get(operation.operationId);
    operation.operationId = handler?.id ?? operation.operationId.split('.').at(-1) ?? '';
    operation.responses['default'] = PROBLEM_RESPONSE;
  }
  components.headers = RESPONSE_HEADER_COMPONENTS;
  components.schemas = { ...components.schemas, ...TRANSCRIPT_OPENAPI_SCHEMAS, Problem: PROBLEM_SCHEMA };
  return document;
}
