import { Public } from '@app/auth';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiRoute } from '../openapi/api-route.js';
import { PublishedDocument, type StaticDocument } from './published-document.js';
import { referencePage } from './reference-page.js';
import { StaticScript } from './static-script.js';

const JSON_TYPE = 'application/json; charset=utf-8';

/** What is served beside the page holds nothing that a browser should run on its own. */
const NO_PAGE = "default-src 'none'; frame-ancestors 'none'";

const LOADER = new StaticScript(new URL('./browser/load-scalar.js', import.meta.url));
/** The browser bundle of a development package, which the build copies (docs/adr/0006-reference-page.md). */
const SCALAR = new StaticScript(
  new URL('../../../../node_modules/@scalar/fastify-api-reference/dist/js/standalone.js', import.meta.url),
);

/** The description of the interface, for programs and for people. */
@Public()
@ApiTags('service')
@Controller()
export class ReferenceController {
  constructor(private readonly document: PublishedDocument) {}

  /** The OpenAPI document. */
  @Get('api/v1/openapi.json')
  @ApiRoute({ id: 'openapi', summary: 'This description, as OpenAPI 3.1' })
  @ApiOkResponse({ description: 'The document.', schema: { type: 'object' }, example: { openapi: '3.1.0' } })
  json(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendDocument(this.document.api, request, reply);
  }

  /** The same for people. */
  @Get('docs')
  @ApiExcludeEndpoint()
  page(@Res() reply: FastifyReply): void {
    const { html, policy } = referencePage(this.document.title);
    setHeaders(reply, policy);
    void reply.header('cache-control', 'no-store').type('text/html; charset=utf-8').send(html);
  }

  /** The document with what the page shows in addition. */
  @Get('docs/openapi.json')
  @ApiExcludeEndpoint()
  pageDocument(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendDocument(this.document.reference, request, reply);
  }

  @Get('docs/load-scalar.js')
  @ApiExcludeEndpoint()
  async loader(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await sendScript(LOADER, request, reply);
  }

  @Get('docs/scalar.js')
  @ApiExcludeEndpoint()
  async scalar(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await sendScript(SCALAR, request, reply);
  }
}

function sendDocument({ body, etag }: StaticDocument, request: FastifyRequest, reply: FastifyReply): void {
  setHeaders(reply, NO_PAGE);
  if (isFresh(etag, request, reply)) void reply.status(304).send();
  else void reply.type(JSON_TYPE).send(body);
}

async function sendScript(script: StaticScript, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const etag = await script.etag();
  setHeaders(reply, NO_PAGE);
  void reply.header('vary', 'accept-encoding');
  if (isFresh(etag, request, reply)) return void reply.status(304).send();
  void reply.type('text/javascript; charset=utf-8');
  if (/\bgzip\b/.test(request.headers['accept-encoding'] ?? ''))
    void reply.header('content-encoding', 'gzip').send(await script.gzipped());
  else void reply.send(await script.plain());
}

function setHeaders(reply: FastifyReply, policy: string): void {
  void reply.removeHeader('vary').headers({
    'x-content-type-options': 'nosniff',
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
  });
}

/** Copies may be used for five minutes; after that one round trip without a body says whether they still hold. */
function isFresh(etag: string, request: FastifyRequest, reply: FastifyReply): boolean {
  void reply.headers({ etag, 'cache-control': 'public, max-age=300' });
  return request.headers['if-none-match'] === etag;
}
