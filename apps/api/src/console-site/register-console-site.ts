import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { buildPageHeaders } from './console-page.js';
import { findLoopbackRedirect } from './loopback-redirect.js';
import { fillBaseHref } from '../static-files/fill-base-href.js';
import { sendStaticFile } from '../static-files/send-static-file.js';
import { readBuiltFiles } from '../static-files/static-file.js';

/** `dist/console`, seen from the compiled file. */
const BUILT_FOLDER = new URL('../../../../console/', import.meta.url);
const PREFIX = '/console/';
const API_PREFIX = '/console/api/';
const ASSET_CACHE_CONTROL = 'public, max-age=31536000, immutable';
const FILE_CACHE_CONTROL = 'public, max-age=3600';

export interface ConsoleSiteOptions {
  publicUrl: string;
  uploadOrigin: string | null;
}

/**
 * Serves the pages of the console. Paths of pages are no routes, because a wildcard route would hide 404 and 405 of
 * `/console/api`: the page answers browsers whose path no route has.
 *
 * @returns whether the pages are built
 */
export async function registerConsoleSite(
  fastify: FastifyInstance,
  { publicUrl, uploadOrigin }: ConsoleSiteOptions,
): Promise<boolean> {
  const files = await readBuiltFiles(BUILT_FOLDER);
  const index = files?.get('index.html');
  if (!files || !index) return false;
  const page = fillBaseHref((await index.readPlain()).toString(), PREFIX, publicUrl);
  const headers = buildPageHeaders(uploadOrigin);
  const sendPage = (request: FastifyRequest, reply: FastifyReply) => {
    const location = findLoopbackRedirect(publicUrl, request.headers.host, request.url);
    void reply.headers(headers);
    if (location === null) void reply.type(index.contentType).send(page);
    else void reply.redirect(location, 302);
  };
  fastify.get('/console', sendPage);
  fastify.get(PREFIX, sendPage);
  for (const [name, file] of files) {
    if (name === 'index.html') continue;
    const cacheControl = name.startsWith('assets/') ? ASSET_CACHE_CONTROL : FILE_CACHE_CONTROL;
    fastify.get(`${PREFIX}${name}`, (request: FastifyRequest, reply: FastifyReply) =>
      sendStaticFile(file, { cacheControl }, request, reply),
    );
  }
  fastify.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    if (request.is404 && isPageRequest(request)) sendPage(request, reply);
    else done();
  });
  return true;
}

function isPageRequest({ method, url, headers }: FastifyRequest): boolean {
  const path = url.split('?', 1)[0] ?? '';
  return (
    (method === 'GET' || method === 'HEAD') &&
    path.startsWith(PREFIX) &&
    !path.startsWith(API_PREFIX) &&
    !path.startsWith(`${PREFIX}assets/`) &&
    (headers.accept ?? '').includes('text/html')
  );
}
