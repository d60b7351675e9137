import type { CDPSession, Locator } from 'playwright-core';
import type { Tab } from './browser.js';

/** Gives the browser of the tab an authenticator that verifies its user and confirms everything. */
export async function addAuthenticator(tab: Tab): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await tab.openDebugger();
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  return { cdp, authenticatorId };
}

/** The key of an authenticator app, which the dialog that sets it up shows in groups. */
export async function readAppSecret(dialog: Locator): Promise<string> {
  const shown = await dialog.getByLabel('Key', { exact: true }).innerText();
  return shown.replaceAll(/\s/g, '');
}
