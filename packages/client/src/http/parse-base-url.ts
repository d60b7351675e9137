/**
 * The URL of the service, with a slash at the end.
 * @throws TypeError, which repeats no password
 */
export function parseBaseUrl(given: string | URL): URL {
  const base = URL.canParse(String(given)) ? new URL(String(given)) : undefined;
  if (base === undefined || !/^https?:$/.test(base.protocol)) {
    const shown = String(given).replace(/\/\/.*@/, '//***@');
    throw new TypeError(`baseUrl must be an http or https URL, not ${shown}.`);
  }
  if (base.username !== '' || base.password !== '')
    throw new TypeError('baseUrl must have no user name and no password.');
  base.search = '';
  base.hash = '';
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  return base;
}
