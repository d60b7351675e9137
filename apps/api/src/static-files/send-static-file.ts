import type { FastifyReply, FastifyRequest } from 'fastify';
import { selectEncoding, type StaticFile } from './static-file.js';

/** For responses that are no page. */
const NO_PAGE_POLICY = "default-src 'none'; frame-ancestors 'none'";

export interface StaticFileHeaders {
  cacheControl: string;
  /** `Content-Security-Policy` of a page; other files get one that permits nothing. */
  policy?: string;
}

/** Sends the file in an encoding that the client accepts, or 304 if the client has it. */
export async function sendStaticFile(
  file: StaticFile,
  { cacheControl, policy }: StaticFileHeaders,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  void reply.headers({ 'cache-control': cacheControl, vary: 'accept-encoding' });
  if (setStaticHeadersAndSend304IfFresh(file.etag, request, reply, policy)) return;
  const encoding = selectEncoding(file.encoded.keys(), request.headers['accept-encoding']);
  const encoded = encoding === null ? undefined : file.encoded.get(encoding);
  if (encoded) void reply.header('content-encoding', encoding);
  void reply.type(file.contentType).send(encoded ?? (await file.readPlain()));
}

/** Sets the headers that all static files have, and answers 304 to a known ETag. @returns whether it did */
export function setStaticHeadersAndSend304IfFresh(
  etag: string,
  { headers }: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  policy = NO_PAGE_POLICY,
): boolean {
  void reply.headers({
    etag,
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
  });
  const isFresh = headers['if-none-match'] === etag;
  if (isFresh) void reply.status(304).send();
  return isFresh;
}
