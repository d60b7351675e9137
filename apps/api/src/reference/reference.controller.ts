import { Public } from '@app/auth';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiRoute } from '../openapi/api-route.js';
import { PublishedApiDocument, type StaticDocument } from './published-document.js';
import { renderReferencePage } from './reference-page.js';
import { CompressedScript } from './compressed-script.js';

const JSON_TYPE = 'application/json; charset=utf-8';

/** For responses other than the page. */
const NO_PAGE_POLICY = "default-src 'none'; frame-ancestors 'none'";

const LOADER = new CompressedScript(new URL('./browser/load-scalar.js', import.meta.url));
/** The browser bundle of a development package, which the build copies (docs/adr/0006-reference-page.md). */
const SCALAR = new CompressedScript(
  new URL('../../../../node_modules/@scalar/fastify-api-reference/dist/js/standalone.js', import.meta.url),
);

@Public()
@ApiTags('service')
@Controller()
export class ReferenceController {
  constructor(private readonly document: PublishedApiDocument) {}

  @Get('api/v1/openapi.json')
  @ApiRoute({ id: 'openapi', summary: 'This description, as OpenAPI 3.1' })
  @ApiOkResponse({ description: 'The document.', schema: { type: 'object' }, example: { openapi: '3.1.0' } })
  json(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendDocument(this.document.api, request, reply);
  }

  @Get('docs')
  @ApiExcludeEndpoint()
  page(@Res() reply: FastifyReply): void {
    const { html, policy } = renderReferencePage(this.document.title);
    setHeaders(reply, policy);
    void reply.header('cache-control', 'no-store').type('text/html; charset=utf-8').send(html);
  }

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
  setHeaders(reply, NO_PAGE_POLICY);
  if (isFresh(etag, request, reply)) void reply.status(304).send();
  else void reply.type(JSON_TYPE).send(body);
}

async function sendScript(
  script: CompressedScript,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const etag = await script.etag();
  setHeaders(reply, NO_PAGE_POLICY);
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

/** Sets the caching headers. Browsers revalidate after five minutes. */
function isFresh(etag: string, request: FastifyRequest, reply: FastifyReply): boolean {
  void reply.headers({ etag, 'cache-control': 'public, max-age=300' });
  return request.headers['if-none-match'] === etag;
}
