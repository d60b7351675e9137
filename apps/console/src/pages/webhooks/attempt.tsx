import type { WebhookDeliveryAttempt } from '../../api/webhooks.ts';
import { Section } from '../../components/page.tsx';
import { ScrollableTextBlock } from '../../components/text-block.tsx';
import { Time } from '../../components/time.tsx';
import { formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/index.ts';
import { describeAttemptResult } from './delivery-state.tsx';

const words = texts.webhooks.delivery;

/** Request and response are texts of others and stay text. */
export function AttemptSection({ attempt, mayRead }: { attempt: WebhookDeliveryAttempt; mayRead: boolean }) {
  const { number, at, duration_ms, unreadable, request, answer } = attempt;
  const title = words.attempt(number);
  return (
    <Section
      title={title}
      actions={<strong className="font-medium">{describeAttemptResult(attempt)}</strong>}
    >
      <p className="text-muted">
        <Time value={at} /> · {words.milliseconds(formatNumber(duration_ms))}
      </p>
      {request === null ? (
        <p className="text-muted">
          {unreadable ? words.unreadable : mayRead ? words.expired : words.onlyManagers}
        </p>
      ) : (
        <>
          <details>
            <summary className="min-h-9 py-2 font-medium">{words.request}</summary>
            <div className="flex flex-col gap-2">
              <ScrollableTextBlock
                label={`${title}: ${words.headers}`}
                text={Object.entries(request.headers)
                  .map(([name, value]) => `${name}: ${value}`)
                  .join('\n')}
              />
              <ScrollableTextBlock label={`${title}: ${words.body}`} text={request.body} />
            </div>
          </details>
          <h3 className="font-medium">{words.answer}</h3>
          {answer === null ? (
            <p className="text-muted">{words.noAnswer}</p>
          ) : answer.body === '' ? (
            <p className="text-muted">{words.emptyAnswer}</p>
          ) : (
            <>
              <ScrollableTextBlock label={`${title}: ${words.answer}`} text={answer.body} />
              {answer.truncated && <p className="text-muted text-xs">{words.truncated}</p>}
            </>
          )}
        </>
      )}
    </Section>
  );
}
