import { type Form, isCreated, requireInteger, requireText, toList, toMetadata } from './form.js';
import type { StripeChargeObject, StripeIntentObject, StripeObject } from './objects.js';
import { invalidRequest, noSuch } from './stripe-error.js';
import { toPage } from './page.js';
import type { StripeState } from './stripe-state.js';

export interface ApiRequest {
  method: string;
  /** Without `/v1`. */
  path: string;
  /** The parsed body or query. */
  form: Form;
}

type Handler = (state: StripeState, form: Form, id: string) => unknown;

interface Route {
  method: string;
  /** May contain `:id`. */
  path: string;
  /** Other parameters are rejected, as Stripe does. */
  parameters: readonly string[];
  handle: Handler;
}

const PAGE = ['limit', 'starting_after', 'ending_before', 'expand'];

const ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/customers',
    parameters: ['name', 'email', 'description', 'metadata', 'expand'],
    handle: (state, { name, metadata }) =>
      state.createCustomer(typeof name === 'string' ? name : null, toMetadata(metadata)),
  },
  {
    method: 'GET',
    path: '/customers/:id',
    parameters: ['expand'],
    handle: (state, _, id) => state.require(state.customers, 'customer', id),
  },
  {
    method: 'POST',
    path: '/checkout/sessions',
    parameters: [
      'mode',
      'customer',
      'client_reference_id',
      'allowed_payment_method_types',
      'adaptive_pricing',
      'line_items',
      'payment_intent_data',
      'metadata',
      'success_url',
      'cancel_url',
      'expires_at',
      'expand',
    ],
    handle: createSession,
  },
  {
    method: 'GET',
    path: '/checkout/sessions/:id',
    parameters: ['expand'],
    handle: (state, _, id) => state.require(state.sessions, 'checkout.session', id),
  },
  {
    method: 'POST',
    path: '/checkout/sessions/:id/expire',
    parameters: ['expand'],
    handle: (state, _, id) => state.expireCheckout(id),
  },
  {
    method: 'POST',
    path: '/payment_intents',
    parameters: [
      'amount',
      'currency',
      'customer',
      'payment_method',
      'allowed_payment_method_types',
      'off_session',
      'confirm',
      'description',
      'metadata',
      'setup_future_usage',
      'expand',
    ],
    handle: createIntent,
  },
  {
    method: 'GET',
    path: '/payment_intents/:id',
    parameters: ['expand'],
    handle: (state, form, id) => expandIntent(state, state.getIntent(id), toList(form['expand'])),
  },
  {
    method: 'POST',
    path: '/payment_intents/:id/cancel',
    parameters: ['cancellation_reason', 'expand'],
    handle: (state, _, id) => {
      const intent = state.getIntent(id);
      state.cancelIntent(intent);
      return intent;
    },
  },
  {
    method: 'GET',
    path: '/payment_intents',
    parameters: ['customer', 'created', ...PAGE],
    handle: (state, form) => {
      const expanded = toList(form['expand']).map((field) => field.replace(/^data\./, ''));
      const wanted = [...state.intents.values()].filter(
        ({ customer, created }) =>
          (form['customer'] === undefined || form['customer'] === customer) && isCreated(form, created),
      );
      return toPage(wanted, form, '/v1/payment_intents', (each) => expandIntent(state, each, expanded));
    },
  },
  {
    method: 'GET',
    path: '/payment_methods/:id',
    parameters: ['expand'],
    handle: (state, _, id) => state.require(state.paymentMethods, 'payment_method', id),
  },
  {
    method: 'GET',
    path: '/customers/:id/payment_methods',
    parameters: ['type', ...PAGE],
    handle: (state, form, id) => {
      state.require(state.customers, 'customer', id);
      const attached = [...state.paymentMethods.values()].filter(({ customer }) => customer === id);
      return toPage(attached, form, `/v1/customers/${id}/payment_methods`);
    },
  },
  {
    method: 'POST',
    path: '/payment_methods/:id/detach',
    parameters: ['expand'],
    handle: (state, _, id) => state.detachPaymentMethod(id),
  },
  {
    method: 'GET',
    path: '/charges/:id',
    parameters: ['expand'],
    handle: (state, _, id) => state.require(state.charges, 'charge', id),
  },
  {
    method: 'POST',
    path: '/refunds',
    parameters: ['payment_intent', 'amount', 'reason', 'metadata', 'expand'],
    handle: (state, form) =>
      state.createRefund(
        requireText(form, 'payment_intent'),
        form['amount'] === undefined ? undefined : requireInteger(form, 'amount'),
      ),
  },
  {
    method: 'GET',
    path: '/refunds',
    parameters: ['payment_intent', 'charge', 'created', ...PAGE],
    handle: (state, form) => toPage(filterByIntent(state.refunds, form), form, '/v1/refunds'),
  },
  {
    method: 'GET',
    path: '/disputes',
    parameters: ['payment_intent', 'charge', 'created', ...PAGE],
    handle: (state, form) => toPage(filterByIntent(state.disputes, form), form, '/v1/disputes'),
  },
  {
    method: 'GET',
    path: '/events',
    parameters: ['created', 'delivery_success', 'type', 'types', ...PAGE],
    handle: (state, form) => {
      const types = toList(form['types']);
      if (types.length > 20)
        throw invalidRequest('You may only specify up to 20 event names.', undefined, 'types');
      const wanted = state.events.filter(
        ({ type, created }) => (types.length === 0 || types.includes(type)) && isCreated(form, created),
      );
      return toPage(wanted, form, '/v1/events');
    },
  },
];

/** @returns undefined if there is no such route @throws StripeErrorAnswer */
export function findRoute({ method, path, form }: ApiRequest): ((state: StripeState) => unknown) | undefined {
  for (const route of ROUTES) {
    const pattern = new RegExp(`^${route.path.replace(':id', '([^/]+)')}$`);
    const match = route.method === method ? pattern.exec(path) : null;
    if (!match) continue;
    const unknown = Object.keys(form).find((name) => !route.parameters.includes(name));
    if (unknown !== undefined)
      throw invalidRequest(`Received unknown parameter: ${unknown}`, 'parameter_unknown', unknown);
    return (state) => route.handle(state, form, match[1] ?? '');
  }
  return undefined;
}

function createSession(state: StripeState, form: Form): StripeObject {
  if (form['mode'] !== 'payment')
    throw invalidRequest('Only mode=payment is supported here.', undefined, 'mode');
  const [item] = form['line_items'] as Form[];
  const price = item?.['price_data'] as Form;
  const { setup_future_usage, metadata, description } = (form['payment_intent_data'] ?? {}) as Form;
  return state.createSession({
    amount: requireInteger(price, 'unit_amount') * requireInteger(item ?? {}, 'quantity'),
    currency: requireText(price, 'currency'),
    customer: requireCustomer(state, form),
    client_reference_id: typeof form['client_reference_id'] === 'string' ? form['client_reference_id'] : null,
    metadata: toMetadata(form['metadata']),
    intent: {
      description: typeof description === 'string' ? description : null,
      metadata: toMetadata(metadata),
      setup_future_usage: typeof setup_future_usage === 'string' ? setup_future_usage : null,
    },
    success_url: requireText(form, 'success_url'),
    cancel_url: typeof form['cancel_url'] === 'string' ? form['cancel_url'] : null,
  });
}

function createIntent(state: StripeState, form: Form): unknown {
  const method = requireText(form, 'payment_method');
  state.require(state.paymentMethods, 'PaymentMethod', method);
  const intent = state.createIntent({
    amount: requireInteger(form, 'amount'),
    currency: requireText(form, 'currency'),
    customer: requireCustomer(state, form),
    description: typeof form['description'] === 'string' ? form['description'] : null,
    metadata: toMetadata(form['metadata']),
    setup_future_usage: null,
  });
  if (form['confirm'] === 'true')
    state.confirmIntent(intent, method, form['off_session'] === 'true' ? 'off' : 'on');
  return expandIntent(state, intent, toList(form['expand']));
}

function expandIntent(state: StripeState, intent: StripeIntentObject, fields: readonly string[]): unknown {
  const charge: StripeChargeObject | undefined = state.charges.get(intent.latest_charge ?? '');
  const method = state.paymentMethods.get(intent.payment_method ?? '');
  return {
    ...intent,
    ...(fields.includes('latest_charge') && { latest_charge: charge ?? null }),
    ...(fields.includes('payment_method') && { payment_method: method ?? null }),
  };
}

function filterByIntent<T extends { payment_intent: string; created: number }>(
  objects: ReadonlyMap<string, T>,
  form: Form,
): T[] {
  const { payment_intent: wanted } = form;
  return [...objects.values()].filter(
    ({ payment_intent, created }) =>
      (wanted === undefined || wanted === payment_intent) && isCreated(form, created),
  );
}

function requireCustomer(state: StripeState, form: Form): string {
  const id = requireText(form, 'customer');
  if (!state.customers.has(id)) throw noSuch('customer', id, 'customer');
  return id;
}
