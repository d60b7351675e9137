import { Link, useRouter } from '@tanstack/react-router';
import { useContext, useEffect } from 'react';
import { ApiError, NoResponseError } from '../api/client.ts';
import { Button } from '../components/button.tsx';
import { LoadErrorNotice } from '../components/notice.tsx';
import { Page, IsInsideShellContext, StandalonePage } from '../components/page.tsx';
import { texts } from '../texts/index.ts';

/** In place of a page that could not be shown. */
export function FailedPage({ error }: { error: unknown }) {
  const router = useRouter();
  const AnyPage = useContext(IsInsideShellContext) ? Page : StandalonePage;
  const hadNoAnswer = error instanceof NoResponseError;
  useEffect(() => {
    if (!hadNoAnswer) return undefined;
    const retry = () => void router.invalidate();
    globalThis.addEventListener('online', retry);
    return () => globalThis.removeEventListener('online', retry);
  }, [router, hadNoAnswer]);
  if (error instanceof ApiError || hadNoAnswer)
    return (
      <AnyPage title={texts.errors.title}>
        <LoadErrorNotice error={error} onRetry={() => void router.invalidate()} />
      </AnyPage>
    );
  return (
    <AnyPage title={texts.errors.crashTitle} intro={texts.errors.crash}>
      <Button onClick={() => globalThis.location.reload()}>{texts.errors.reload}</Button>
    </AnyPage>
  );
}

/** In place of every page, so that nobody changes an account while looking at another one. */
export function SwitchedAccountPage() {
  return (
    <StandalonePage title={texts.errors.switchedTitle} intro={texts.errors.switched}>
      <Button look="primary" onClick={() => globalThis.location.assign(document.baseURI)}>
        {texts.errors.reload}
      </Button>
    </StandalonePage>
  );
}

export function NotFoundPage() {
  return (
    <StandalonePage title={texts.errors.notFoundTitle} intro={texts.errors.notFound}>
      <Link to="/" className="text-accent underline">
        {texts.errors.toStart}
      </Link>
    </StandalonePage>
  );
}

export function NoAccountPage() {
  return (
    <Page title={texts.noAccount.title}>
      <p>{texts.noAccount.text}</p>
    </Page>
  );
}
