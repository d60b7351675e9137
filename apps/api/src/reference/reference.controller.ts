import { Public } from '@app/auth';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiRoute } from '../openapi/api-route.js';
import { type Page, PublishedDocument } from './published-document.js';
import { STYLE } from './style.js';

/** The page holds no script, and nothing of it comes from elsewhere. */
const POLICY =
  "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

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
    send(this.document.json, 'application/json; charset=utf-8', request, reply);
  }

  /** The same for people. */
  @Get('docs')
  @ApiExcludeEndpoint()
  html(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    send(this.document.html, 'text/html; charset=utf-8', request, reply);
  }

  @Get('docs/style.css')
  @ApiExcludeEndpoint()
  style(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    send(STYLE, 'text/css; charset=utf-8', request, reply);
  }
}

/** Copies may be kept for five minutes; after that one round trip without a body says whether they still hold. */
function send({ body, etag }: Page, type: string, request: FastifyRequest, reply: FastifyReply): void {
  void reply.removeHeader('vary').headers({
    etag,
    'cache-control': 'public, max-age=300',
    'x-content-type-options': 'nosniff',
    'content-security-policy': POLICY,
    'referrer-policy': 'no-referrer',
  });
  if (request.headers['if-none-match'] === etag) void reply.status(304).send();
  else void reply.type(type).send(body);
}
