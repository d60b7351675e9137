import { useMutation } from '@tanstack/react-query';
import { requestJson } from '../../api/client.ts';
import type { ConsoleApiSchema } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { ActionErrorNotice } from '../../components/notice.tsx';
import { getSavedInvitationToken, savePathAndLinkTokenForSignIn } from '../../lib/after-sign-in.ts';
import { useResetMutationIfPageStays } from '../../lib/use-reset-mutation-if-page-stays.ts';

interface ProviderButtonProps {
  label: string;
  /** The page to show afterwards, and the token of the invitation that its link had. */
  path: string | null;
  linkToken?: string;
}

/** Leaves for the sign-in page of the OpenID Connect provider. */
export function ProviderSignInButton({ label, path, linkToken }: ProviderButtonProps) {
  const start = useMutation({
    mutationFn: () => {
      const token = linkToken ?? getSavedInvitationToken();
      return requestJson<ConsoleApiSchema<'OidcStartResponse'>>('POST', 'sign-in/oidc', {
        ...(token !== null && { invitation_token: token }),
      });
    },
    onSuccess: ({ url }) => {
      if (path !== null) savePathAndLinkTokenForSignIn(path, linkToken);
      globalThis.location.assign(url);
    },
  });
  useResetMutationIfPageStays(start);
  return (
    <>
      <ActionErrorNotice error={start.error} />
      <Button busy={start.isPending || start.isSuccess} onClick={() => start.mutate()}>
        {label}
      </Button>
    </>
  );
}
