import { useState } from 'react';
import { hasUrlSecrets, maskUrlSecrets } from '../lib/receiver-url-secrets.ts';
import { texts } from '../texts/index.ts';

/**
 * The URL of a receiver of webhooks, whose query often has a token: its values are shown on request. Who may not manage
 * webhooks gets them masked from the API, and has nothing to show.
 */
export function WebhookUrlWithMaskedSecrets({ url }: { url: string }) {
  const [isShown, setShown] = useState(false);
  const masked = maskUrlSecrets(url);
  const hasSecrets = hasUrlSecrets(url);
  return (
    <span className="font-mono text-xs break-all">
      {isShown || !hasSecrets ? url : masked}{' '}
      {hasSecrets && (
        <button
          type="button"
          aria-expanded={isShown}
          aria-label={`${isShown ? texts.hideSecrets : texts.showSecrets}: ${masked}`}
          className="text-accent min-h-6 font-sans underline"
          onClick={() => setShown(!isShown)}
        >
          {isShown ? texts.hideSecrets : texts.showSecrets}
        </button>
      )}
    </span>
  );
}
