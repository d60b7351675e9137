import type { ServerResponse } from 'node:http';
import type { StripeState } from './stripe-state.js';

/** `/pay/ID` shows what is to be paid; `/pay/ID/paid` and `/pay/ID/cancelled` are its two buttons. */
export function showCheckoutPage(state: StripeState, path: string, response: ServerResponse): void {
  const [, , id = '', button] = path.split('/');
  const session = state.sessions.get(id);
  if (!session) return void response.writeHead(404).end();
  if (button === undefined) {
    const amount = `${session.amount_total} ${session.currency}`;
    const html = `<!doctype html><title>Checkout</title><h1>${amount}</h1><a href="/pay/${id}/paid">Pay</a> <a href="/pay/${id}/cancelled">Back</a>`;
    return void response.writeHead(200, { 'content-type': 'text/html' }).end(html);
  }
  if (button === 'paid') state.payCheckout(id);
  const location = button === 'paid' ? session.success_url : (session.cancel_url ?? '');
  response.writeHead(303, { location }).end();
}
