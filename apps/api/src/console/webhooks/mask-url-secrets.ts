const MASK = '***';

/**
 * A URL for people who may not manage webhooks: without user name, password and fragment, and with the names but not
 * the values of its query.
 */
export function maskUrlSecrets(url: string): string {
  if (!URL.canParse(url)) return MASK;
  const { origin, pathname, search } = new URL(url);
  const masked = search.slice(1).split('&').map(maskParameter).join('&');
  return `${origin}${pathname}${search === '' ? '' : `?${masked}`}`;
}

/** Text without `=` is the value of no name. */
function maskParameter(parameter: string): string {
  const end = parameter.indexOf('=');
  return end === -1 ? MASK : `${parameter.slice(0, end + 1)}${MASK}`;
}
