import { Link } from '@tanstack/react-router';
import { ApiError, NoAnswerError } from '../api/client.ts';
import { Button } from '../components/button.tsx';
import { LoadErrorNotice } from '../components/notice.tsx';
import { StandalonePage, Page } from '../components/page.tsx';
import { texts } from '../texts/index.ts';

/** In place of a page that could not be shown. */
export function FailedPage({ error }: { error: unknown }) {
  const reload = () => globalThis.location.reload();
  if (error instanceof ApiError || error instanceof NoAnswerError)
    return (
      <StandalonePage title={texts.errors.title}>
        <LoadErrorNotice error={error} onRetry={reload} />
      </StandalonePage>
    );
  return (
    <StandalonePage title={texts.errors.crashTitle} intro={texts.errors.crash}>
      <Button onClick={reload}>{texts.errors.reload}</Button>
    </StandalonePage>
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
