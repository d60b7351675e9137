import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fillBaseHref } from '../static-files/fill-base-href.js';
import { sendStaticFile } from '../static-files/send-static-file.js';
import { readBuiltFiles, type StaticFile } from '../static-files/static-file.js';

/** `dist/guide`, seen from the compiled file. */
const BUILT_FOLDER = new URL('../../../../guide/', import.meta.url);
const ROOT = '/docs/guide';
const NOT_FOUND = 'not-found.html';
const ASSET_CACHE_CONTROL = 'public, max-age=31536000, immutable';
/** Browsers ask whether a page has changed, because links name the hashed assets of one build. */
const PAGE_CACHE_CONTROL = 'no-cache';

/** Nothing inline, and nothing from other sites. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Serves the documentation site. Its pages are routes; browsers get its own page for other paths below it.
 *
 * @returns whether the site is built
 */
export async function registerGuideSite(
  fastify: FastifyInstance,
  { publicUrl }: { publicUrl: string },
): Promise<boolean> {
  const files = await readBuiltFiles(BUILT_FOLDER);
  const notFound = files?.get(NOT_FOUND);
  if (!files || !notFound) return false;
  for (const [name, file] of files) if (name !== NOT_FOUND) registerFile(fastify, name, file);
  fastify.get(`${ROOT}/`, (_: FastifyRequest, reply: FastifyReply) => {
    void reply.redirect('../guide', 302);
  });
  const html = fillBaseHref((await notFound.readPlain()).toString(), `${ROOT}/`, publicUrl);
  fastify.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    if (!request.is404 || !isPageRequest(request)) return done();
    void reply.headers({ 'cache-control': 'no-store', 'content-security-policy': PAGE_POLICY });
    void reply.header('referrer-policy', 'no-referrer').status(404).type(notFound.contentType).send(html);
  });
  return true;
}

function registerFile(fastify: FastifyInstance, name: string, file: StaticFile): void {
  const isPage = name.endsWith('.html');
  const path = name === 'index.html' ? ROOT : `${ROOT}/${name.replace(/\.html$/, '')}`;
  const options = isPage
    ? { cacheControl: PAGE_CACHE_CONTROL, policy: PAGE_POLICY }
    : { cacheControl: ASSET_CACHE_CONTROL };
  fastify.get(path, (request: FastifyRequest, reply: FastifyReply) =>
    sendStaticFile(file, options, request, reply),
  );
}

function isPageRequest({ method, url, headers }: FastifyRequest): boolean {
  const path = url.split('?', 1)[0] ?? '';
  return (
    (method === 'GET' || method === 'HEAD') &&
    path.startsWith(`${ROOT}/`) &&
    !path.startsWith(`${ROOT}/assets/`) &&
    (headers.accept ?? '').includes('text/html')
  );
}
