import type { CDPSession } from 'playwright-core';
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
