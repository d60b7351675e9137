const MASK = '***';

/** A URL to show to bystanders: without user name, password and fragment, with the names but not the values of its query. */
export function maskUrlSecrets(url: string): string {
  if (!URL.canParse(url)) return MASK;
  const { origin, pathname, search } = new URL(url);
  if (search === '') return `${origin}${pathname}`;
  const parameters = search.slice(1).split('&');
  return `${origin}${pathname}?${parameters.map(maskParameter).join('&')}`;
}

/** A text that may be the URL of a receiver. */
export function maskIfUrl(text: string): string {
  return /^https?:\/\//.test(text) ? maskUrlSecrets(text) : text;
}

/** Whether something of the URL is hidden by `maskUrlSecrets`, which the API may have done already. */
export function hasUrlSecrets(url: string): boolean {
  return maskUrlSecrets(url) !== (URL.canParse(url) ? new URL(url).href : url);
}

/** Text without `=` is the value of no name. */
function maskParameter(parameter: string): string {
  const end = parameter.indexOf('=');
  return end === -1 ? MASK : `${parameter.slice(0, end + 1)}${MASK}`;
}
