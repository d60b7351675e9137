import type { CardPayments } from '@app/billing';
import { ServiceError } from '@app/errors';

/** @throws ServiceError `conflict` */
export function requireAvailableCardPayments(cards: CardPayments | null): CardPayments {
  if (cards) return cards;
  throw new ServiceError('conflict', {
    detail: 'There are no payments by card: the operator of this service collects payments.',
  });
}
