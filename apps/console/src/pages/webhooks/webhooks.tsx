import { useSuspenseQuery } from '@tanstack/react-query';
import { sessionQueryOptions } from '../../api/queries.ts';
import { Page } from '../../components/page.tsx';
import { texts } from '../../texts/index.ts';
import { DeliveriesSection } from './deliveries.tsx';
import { EndpointsSection } from './endpoints.tsx';
import { SigningSecretSection } from './signing-secret.tsx';
import { SignatureVerificationSection } from './verification.tsx';

export function WebhooksPage() {
  const { data: session } = useSuspenseQuery(sessionQueryOptions);
  const accountId = session.account?.id ?? '';
  const permissions = session.account?.permissions ?? [];
  const mayWrite = permissions.includes('webhooks.write');
  return (
    <Page title={texts.webhooks.title} intro={texts.webhooks.intro}>
      <EndpointsSection accountId={accountId} mayWrite={mayWrite} />
      <DeliveriesSection accountId={accountId} mayWrite={mayWrite} />
      {permissions.includes('signing_secret.reveal') && (
        <>
          <SigningSecretSection
            accountId={accountId}
            mayRotate={permissions.includes('signing_secret.rotate')}
          />
          <SignatureVerificationSection />
        </>
      )}
    </Page>
  );
}
