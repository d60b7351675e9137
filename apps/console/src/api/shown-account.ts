let shownAccountId: string | null = null;

/** The account that this tab shows. Another tab may switch the session, which all tabs share, to another one. */
export function getShownAccountId(): string | null {
  return shownAccountId;
}

/** Keeps the account that was given first. @returns whether the tab shows this account */
export function setShownAccountIfUnset(accountId: string | null): boolean {
  shownAccountId ??= accountId;
  return shownAccountId === accountId;
}

/** After this tab has switched the account, or its user has signed in. */
export function forgetShownAccount(): void {
  shownAccountId = null;
}
