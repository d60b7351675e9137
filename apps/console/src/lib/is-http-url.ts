/** Whether a link may lead to an address that another service has named. */
export function isHttpUrl(address: string): boolean {
  return /^https?:\/\//.test(address);
}
