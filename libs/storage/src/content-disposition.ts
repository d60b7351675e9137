/** RFC 6266: an ASCII name for old clients and the UTF-8 name for all others. */
export function attachmentHeader(filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\/%]/g, '_');
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
