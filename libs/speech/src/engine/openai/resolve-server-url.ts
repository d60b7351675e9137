/** Appends a path to that of the base URL and keeps the query, which some gateways require. */
export function resolveServerUrl(baseUrl: string, path: string): string {
  const url = new URL(baseUrl);
  url.pathname = url.pathname.replace(/\/+$/, '') + path;
  url.hash = '';
  return url.href;
}
