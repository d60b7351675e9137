import { isLoopbackHost } from '@app/config';

/**
 * Sign-in works at the origin of the public URL only. `localhost`, `127.0.0.1` and `[::1]` lead to the same program, but are other
 * origins. Another port may be that of a tunnel, from which the public URL cannot be reached.
 *
 * @param host of the request, with its port
 * @param path of the request, with its query
 * @returns where the browser is sent, or null if it can stay
 */
export function findLoopbackRedirect(
  publicUrl: string,
  host: string | undefined,
  path: string,
): string | null {
  const canonical = new URL(publicUrl);
  const requested = `${canonical.protocol}//${host ?? ''}`;
  if (host === undefined || canonical.pathname !== '/' || !URL.canParse(requested)) return null;
  const { hostname, port } = new URL(requested);
  const isAlias =
    isLoopbackHost(hostname) && isLoopbackHost(canonical.hostname) && hostname !== canonical.hostname;
  return isAlias && port === canonical.port ? canonical.origin + path : null;
}
