import { Link } from '@tanstack/react-router';
import { ApiError, OfflineError } from '../api/client.ts';
import { Button } from '../components/button.tsx';
import { LoadError } from '../components/notice.tsx';
import { NarrowPage, Page } from '../components/page.tsx';
import { texts } from '../texts/index.ts';

/** In place of a page that could not be shown. */
export function FailedPage({ error }: { error: unknown }) {
  const reload = () => globalThis.location.reload();
  if (error instanceof ApiError || error instanceof OfflineError)
    return (
      <NarrowPage title={texts.errors.title}>
        <LoadError error={error} onRetry={reload} />
      </NarrowPage>
    );
  return (
    <NarrowPage title={texts.errors.crashTitle} intro={texts.errors.crash}>
      <Button onClick={reload}>{texts.errors.reload}</Button>
    </NarrowPage>
  );
}

/** In place of every page, so that nobody changes an account while looking at another one. */
export function SwitchedAccountPage() {
  return (
    <NarrowPage title={texts.errors.switchedTitle} intro={texts.errors.switched}>
      <Button look="primary" onClick={() => globalThis.location.assign(document.baseURI)}>
        {texts.errors.reload}
      </Button>
    </NarrowPage>
  );
}

export function UnknownPage() {
  return (
    <NarrowPage title={texts.errors.notFoundTitle} intro={texts.errors.notFound}>
      <Link to="/" className="text-accent underline">
        {texts.errors.toStart}
      </Link>
    </NarrowPage>
  );
}

export function NoAccountPage() {
  return (
    <Page title={texts.noAccount.title}>
      <p>{texts.noAccount.text}</p>
    </Page>
  );
}
