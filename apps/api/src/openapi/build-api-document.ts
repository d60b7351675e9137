import { readPackageVersion } from '@app/runtime';
import { TRANSCRIPT_OPENAPI_SCHEMAS } from '@app/transcript';
import type { INestApplication, Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ConsoleModule } from '../console/console.module.js';
import { OPENAI_SCHEMAS } from '../transcribe/openai/openapi/openai-schemas.js';
import { EVENT_UNION_SCHEMAS } from '../streaming/events.openapi.js';
import { addBodyExamples } from './add-body-examples.js';
import { addHandlerMetadataToOperations } from './add-handler-metadata-to-operations.js';
import { splitCreateUploadSchemaByAudioSource } from './split-create-upload-schema.js';
import type { ApiDocument } from './document-types.js';
import { API_DESCRIPTION_MARKDOWN, API_TAGS } from './api-description.js';
import { RESPONSE_HEADER_COMPONENTS, REQUEST_ID_PARAMETER } from './headers.js';
import { decorateHealthRoutesForOpenApi } from './document-health-routes.js';
import { PROBLEM_SCHEMA } from './problem-schema.js';
import { collectHandlerMetadata, toHandlerKey } from './collect-handler-metadata.js';
import { extractSchemasOfFieldsWithDefaults } from './extract-schemas-of-fields-with-defaults.js';
import { JOB_WEBHOOK_OPERATION, WEBHOOK_BODY_SCHEMAS } from './job-webhook.js';

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
 * Builds the OpenAPI 3.1 document of an application, which may be a preview without providers. Swagger scans routes and
 * bodies; the effects of guards and other decorators are added here.
 */
export function buildApiDocument(app: INestApplication): ApiDocument {
  decorateHealthRoutesForOpenApi();
  const handlers = collectHandlerMetadata(app);
  const scanned = SwaggerModule.createDocument(app, buildDocumentBase(), {
    operationIdFactory: toHandlerKey,
    include: listPublicModules(app),
  }) as unknown;
  const document = scanned as ApiDocument;
  document.info['x-package-version'] = readPackageVersion();
  const { components } = document;
  components.headers = RESPONSE_HEADER_COMPONENTS;
  components.parameters = { RequestId: REQUEST_ID_PARAMETER };
  components.responses = {};
  const schemas = {
    Problem: PROBLEM_SCHEMA,
    ...TRANSCRIPT_OPENAPI_SCHEMAS,
    ...WEBHOOK_BODY_SCHEMAS,
    ...EVENT_UNION_SCHEMAS,
    ...OPENAI_SCHEMAS,
  };
  components.schemas = {
    ...extractSchemasOfFieldsWithDefaults(splitCreateUploadSchemaByAudioSource(components.schemas)),
    ...schemas,
  };
  document.webhooks = { jobEnded: { post: structuredClone(JOB_WEBHOOK_OPERATION) } };
  document.paths = sortPathsByTag(document);
  addHandlerMetadataToOperations(document, handlers);
  addBodyExamples(document);
  return document;
}

/** All but the console, whose routes need a session instead of a key and have their own document. */
function listPublicModules(app: INestApplication): Type[] {
  const modules = [...app.get(ModulesContainer).values()].map(({ metatype }) => metatype);
  return modules.filter((metatype) => metatype !== ConsoleModule);
}

function buildDocumentBase(): Omit<OpenAPIObject, 'paths'> {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('zephyr')
    .setDescription(API_DESCRIPTION_MARKDOWN)
    .setVersion(INTERFACE_VERSION)
    .addServer('/', 'The server of this document.')
    .addSecurity('apiKey', KEY_SCHEME)
    .addSecurity('bearerKey', BEARER_SCHEME)
    .addSecurityRequirements('apiKey');
  for (const { name, description } of API_TAGS) builder.addTag(name, description);
  return builder.build();
}

/** In the order of the tags, independent of the order of modules. */
function sortPathsByTag({ paths, tags }: ApiDocument): ApiDocument['paths'] {
  const names = tags.map(({ name }) => name);
  const tagIndex = (path: string) => names.indexOf(Object.values(paths[path] ?? {})[0]?.tags?.[0] ?? '');
  return Object.fromEntries(Object.entries(paths).toSorted(([a], [b]) => tagIndex(a) - tagIndex(b)));
}
