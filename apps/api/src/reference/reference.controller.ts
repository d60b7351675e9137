import { SkipApiKeyGuard } from '@app/auth';
import { buildTranscriptJsonSchema } from '@app/transcript';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiRoute } from '../openapi/api-route.js';
import {
  ApiDocumentHolder,
  serializeDocumentWithEtag,
  type SerializedDocument,
} from './api-document-holder.js';
import { renderReferencePageAndPolicy } from './reference-page.js';
import { setStaticHeadersAndSend304IfFresh, sendStaticFile } from '../static-files/send-static-file.js';
import { FileCompressedOnFirstRead } from '../static-files/static-file.js';

const TRANSCRIPT_SCHEMA = serializeDocumentWithEtag(buildTranscriptJsonSchema());
const JSON_TYPE = 'application/json; charset=utf-8';

/** Browsers revalidate after five minutes. */
const CACHE_CONTROL = 'public, max-age=300';

const LOADER = new FileCompressedOnFirstRead(new URL('./browser/load-scalar.js', import.meta.url));
/** The browser bundle of a development package, which the build copies (docs/adr/0006-reference-page.md). */
const SCALAR = new FileCompressedOnFirstRead(
  new URL('../../../../node_modules/@scalar/fastify-api-reference/dist/js/standalone.js', import.meta.url),
);

@SkipApiKeyGuard()
@ApiTags('service')
@Controller()
export class ReferenceController {
  constructor(private readonly document: ApiDocumentHolder) {}

  @Get('api/v1/openapi.json')
  @ApiRoute({ id: 'openapi', summary: 'This description, as OpenAPI 3.1' })
  @ApiOkResponse({ description: 'The document.', schema: { type: 'object' }, example: { openapi: '3.1.0' } })
  json(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendDocument(this.document.api, request, reply);
  }

  @Get('api/v1/transcript.schema.json')
  @ApiRoute({ id: 'transcriptSchema', summary: 'JSON Schema of the json transcript' })
  @ApiOkResponse({
    description: 'The schema, of 2020-12.',
    schema: { type: 'object' },
    example: { title: 'Transcript' },
  })
  transcriptSchema(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendDocument(TRANSCRIPT_SCHEMA, request, reply);
  }

  @Get('docs')
  @ApiExcludeEndpoint()
  page(@Res() reply: FastifyReply): void {
    const { html, policy } = renderReferencePageAndPolicy(this.document.title);
    void reply.headers({
      'cache-control': 'no-store',
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
    });
    void reply.type('text/html; charset=utf-8').send(html);
  }

  @Get('docs/openapi.json')
  @ApiExcludeEndpoint()
  pageDocument(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendDocument(this.document.reference, request, reply);
  }

  @Get('docs/load-scalar.js')
  @ApiExcludeEndpoint()
  async loader(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await sendStaticFile(await LOADER.load(), { cacheControl: CACHE_CONTROL }, request, reply);
  }

  @Get('docs/scalar.js')
  @ApiExcludeEndpoint()
  async scalar(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await sendStaticFile(await SCALAR.load(), { cacheControl: CACHE_CONTROL }, request, reply);
  }
}

function sendDocument(
  { body, etag }: SerializedDocument,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  // The document is the same for every key.
  void reply.removeHeader('vary').header('cache-control', CACHE_CONTROL);
  if (!setStaticHeadersAndSend304IfFresh(etag, request, reply)) void reply.type(JSON_TYPE).send(body);
}
