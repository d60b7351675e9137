/** Names the account and the user, so that neither sees the files of others who use the same browser. */
export function buildUploadOwnerKey(
  session: { user: { id: string }; account: { id: string } | null } | undefined,
): string | null {
  return session?.account ? `${session.account.id}/${session.user.id}` : null;
}

export function parseAccountIdOfOwner(owner: string): string {
  return owner.split('/', 1)[0] ?? '';
}

export function parseUserIdOfOwner(owner: string): string {
  return owner.split('/')[1] ?? '';
}
