/** Filters of the audit log, in the URL. */
export interface AuditSearchParams {
  action?: string | undefined;
  /** A kind of actors, or the id of one. */
  who?: string | undefined;
  /** The id of what was changed. */
  target?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

export function parseAuditSearchParams(search: Record<string, unknown>): AuditSearchParams {
  const read = (name: keyof AuditSearchParams) => {
    const value = search[name];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    action: read('action'),
    who: read('who'),
    target: read('target'),
    since: read('since'),
    until: read('until'),
  };
}
