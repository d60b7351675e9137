import { packageVersion } from '@app/runtime';
import { TRANSCRIPT_SCHEMAS } from '@app/transcript';
import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { OPENAI_SCHEMAS } from '../openai/openapi/openai-schemas.js';
import { STREAM_EVENT_SCHEMAS } from '../streaming/events.openapi.js';
import { addBodyExamples } from './add-body-examples.js';
import { completeOperations, listOperations } from './complete-operations.js';
import { splitCreateUpload } from './split-create-upload.js';
import type { ApiDocument } from './document-types.js';
import { GUIDE, TAGS } from './guide.js';
import { HEADERS, REQUEST_ID_PARAMETER } from './headers.js';
import { documentHealthRoutes } from './document-health-routes.js';
import { PROBLEM_SCHEMA } from './problem-schema.js';
import { collectRouteMetadata, toRouteKey } from './collect-route-metadata.js';
import { extractDefaultSchemas } from './extract-default-schemas.js';
import { NOTIFICATION_OPERATION, NOTIFICATION_SCHEMAS } from './job-notification.js';

/** Of the interface, whatever the version of the package that serves it. */
const INTERFACE_VERSION = '1.0.0';

const KEY_SCHEME = {
  type: 'apiKey',
  in: 'header',
  name: 'X-API-Key',
  description: 'The key of your account.',
} as const;

const BEARER_SCHEME = {
  type: 'http',
  scheme: 'bearer',
  description: 'The same key, as OpenAI’s clients send it. Below `/v1` only; `X-API-Key` takes precedence.',
} as const;

/**
 * The OpenAPI 3.1 document of an application, which may be a preview: nothing is asked of its parts. The routes, their
 * bodies and their answers come from the controllers; what follows from their guards is added here.
 */
export function buildApiDocument(app: INestApplication): ApiDocument {
  documentHealthRoutes();
  const facts = collectRouteMetadata(app);
  const scanned = SwaggerModule.createDocument(app, buildDocumentBase(), {
    operationIdFactory: toRouteKey,
  }) as unknown;
  const document = scanned as ApiDocument;
  document.info['x-package-version'] = packageVersion();
  const { components } = document;
  components.headers = HEADERS;
  components.parameters = { RequestId: REQUEST_ID_PARAMETER };
  components.responses = {};
  const schemas = {
    Problem: PROBLEM_SCHEMA,
    ...TRANSCRIPT_SCHEMAS,
    ...NOTIFICATION_SCHEMAS,
    ...STREAM_EVENT_SCHEMAS,
    ...OPENAI_SCHEMAS,
  };
  components.schemas = { ...extractDefaultSchemas(splitCreateUpload(components.schemas)), ...schemas };
  document.webhooks = { jobEnded: { post: structuredClone(NOTIFICATION_OPERATION) } };
  document.paths = sortPathsByTag(document);
  completeOperations(document, facts);
  addBodyExamples(document, listOperations(document.paths));
  return document;
}

function buildDocumentBase(): Omit<OpenAPIObject, 'paths'> {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('zephyr')
    .setDescription(GUIDE)
    .setVersion(INTERFACE_VERSION)
    .addServer('/', 'Where this document comes from.')
    .addSecurity('apiKey', KEY_SCHEME)
    .addSecurity('bearerKey', BEARER_SCHEME)
    .addSecurityRequirements('apiKey');
  for (const { name, description } of TAGS) builder.addTag(name, description);
  return builder.build();
}

/** As a reader meets them, and the same whatever the order of modules. */
function sortPathsByTag({ paths, tags }: ApiDocument): ApiDocument['paths'] {
  const names = tags.map(({ name }) => name);
  const place = (path: string) => names.indexOf(Object.values(paths[path] ?? {})[0]?.tags?.[0] ?? '');
  return Object.fromEntries(Object.entries(paths).toSorted(([a], [b]) => place(a) - place(b)));
}
