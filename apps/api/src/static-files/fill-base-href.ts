/**
 * Fills the `<base>` of a built page, whose links must work at any depth, with the prefix that a proxy adds to paths.
 *
 * @param path of the pages, with a slash at both ends
 * @throws Error if the page has no such element
 */
export function fillBaseHref(html: string, path: string, publicUrl: string): string {
  const element = `<base href="${path}" />`;
  if (!html.includes(element)) throw new Error(`The page has no base element with ${path}.`);
  const base = `${new URL(publicUrl).pathname.replace(/\/+$/, '')}${path}`;
  return html.replace(element, `<base href="${escapeAttribute(base)}" />`);
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
