import type { FastifyReply, FastifyRequest } from 'fastify';
import { selectEncoding, type StaticFile } from './static-file.js';

/** For responses that are no page. */
const NO_PAGE_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Sends the file in an encoding that the client accepts, or 304 if the client has it. */
export async function sendStaticFile(
  file: StaticFile,
  cacheControl: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  void reply.headers({ 'cache-control': cacheControl, vary: 'accept-encoding' });
  if (sendNotModifiedIfFresh(file.etag, request, reply)) return;
  const encoding = selectEncoding(file.encoded.keys(), request.headers['accept-encoding']);
  const encoded = encoding === null ? undefined : file.encoded.get(encoding);
  if (encoded) void reply.header('content-encoding', encoding);
  void reply.type(file.contentType).send(encoded ?? (await file.readPlain()));
}

/** Sets the headers that all responses without a page have, and answers 304 to a known ETag. @returns whether it did */
export function sendNotModifiedIfFresh(
  etag: string,
  { headers }: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
): boolean {
  void reply.headers({
    etag,
    'content-security-policy': NO_PAGE_POLICY,
    'referrer-policy': 'no-referrer',
  });
  const isFresh = headers['if-none-match'] === etag;
  if (isFresh) void reply.status(304).send();
  return isFresh;
}
