import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { parseForm } from './form.js';
import { showCheckoutPage } from './checkout-page.js';
import { assertKeyMay, type KeyPermission } from './restricted-key.js';
import { findRoute } from './routes.js';
import { StripeErrorAnswer } from './stripe-error.js';
import { StripeState } from './stripe-state.js';
import { API_VERSION } from './stripe-store.js';
import { WebhookSender } from './webhook-sender.js';

/**
 * How one request fails; “after” means that Stripe has executed it. Stripe stores the response of an execution that
 * failed for the idempotency key, but not that of a request which was never begun.
 */
export type Fault =
  'no_answer_after' | 'reset_after' | 'reset_before' | 'error_500' | 'error_500_stored' | 'rate_limited';

export interface ReceivedRequest {
  method: string;
  path: string;
  idempotencyKey: string | null;
  apiVersion: string | null;
}

interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

interface KeyedRequest {
  fingerprint: string;
  answer: Answer;
}

/**
 * The part of Stripe that this project uses, on loopback, as documented: form-encoded requests, idempotency keys,
 * errors, lists, and signed events that are sent until they are acknowledged. Tests act as customers and banks through
 * `state`, and inject network faults through `failNext` and `webhooks`.
 */
export class FakeStripe {
  readonly secretKey = `sk_test_${randomBytes(12).toString('hex')}`;
  readonly webhooks = new WebhookSender(`whsec_${randomBytes(12).toString('hex')}`);
  readonly state: StripeState;
  readonly requests: ReceivedRequest[] = [];
  /** Of a restricted key; null: the key may do everything. */
  keyPermissions: ReadonlySet<KeyPermission> | null = null;
  /** All requests wait for this promise. */
  gate: Promise<void> | undefined;
  private readonly faults: { path: RegExp; fault: Fault }[] = [];
  private readonly keys = new Map<string, KeyedRequest>();
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {
    this.state = new StripeState(url, (event) => this.webhooks.send(event));
  }

  static async start(): Promise<FakeStripe> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const fake = new FakeStripe(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (request, response) => void fake.receive(request, response));
    server.on('connection', (socket) => {
      fake.sockets.add(socket);
      socket.once('close', () => fake.sockets.delete(socket));
    });
    return fake;
  }

  async stop(): Promise<void> {
    this.webhooks.stop();
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Lets the next requests with a matching path fail. The client repeats a request once if its connection is reset. */
  failNext(path: RegExp, ...faults: Fault[]): void {
    this.faults.push(...faults.map((fault) => ({ path, fault })));
  }

  /** Simulates the expiry of the keys after a day. */
  forgetIdempotencyKeys(): void {
    this.keys.clear();
  }

  /** Simulates that the stored response of the charge was given before its result was known. */
  replaceStoredStatus(intentId: string, status: string): void {
    for (const { answer } of this.keys.values()) {
      const body = answer.body as { id?: string; status?: string };
      if (body.id === intentId) body.status = status;
    }
  }

  countRequests(method: string, path: RegExp): number {
    return this.requests.filter((each) => each.method === method && path.test(each.path)).length;
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.on('error', () => undefined);
    const { pathname, search } = new URL(request.url ?? '', this.url);
    const { method = 'GET', headers } = request;
    const body = await text(request).catch(() => null);
    if (body === null) return;
    if (pathname.startsWith('/pay/')) return showCheckoutPage(this.state, pathname, response);
    const key = toText(headers['idempotency-key']);
    const apiVersion = toText(headers['stripe-version']);
    this.requests.push({ method, path: pathname, idempotencyKey: key, apiVersion });
    await this.gate;
    const fault = this.takeFault(pathname);
    if (fault === 'reset_before') return void request.socket.destroy();
    if (fault === 'error_500')
      return send(response, errorAnswer(500, 'api_error', 'An unknown error occurred.'));
    if (fault === 'error_500_stored') {
      const answer = errorAnswer(500, 'api_error', 'An unknown error occurred.');
      if (key !== null) this.keys.set(key, { fingerprint: `${pathname}?${body}`, answer });
      return send(response, answer);
    }
    if (fault === 'rate_limited')
      return send(response, errorAnswer(429, 'invalid_request_error', 'Too many requests.', 'rate_limit'));
    const answer =
      headers.authorization === `Bearer ${this.secretKey}`
        ? this.answer({ method, path: pathname, text: method === 'GET' ? search.slice(1) : body, key })
        : errorAnswer(401, 'invalid_request_error', 'Invalid API Key provided.');
    if (fault === 'no_answer_after') return;
    if (fault === 'reset_after') return void request.socket.destroy();
    send(response, answer);
  }

  private takeFault(path: string): Fault | undefined {
    const at = this.faults.findIndex((each) => each.path.test(path));
    return at < 0 ? undefined : this.faults.splice(at, 1)[0]?.fault;
  }

  private answer(request: { method: string; path: string; text: string; key: string | null }): Answer {
    const { method, path, key } = request;
    if (method !== 'POST' || key === null) return this.run(request).answer;
    const fingerprint = `${path}?${request.text}`;
    const known = this.keys.get(key);
    if (known && known.fingerprint !== fingerprint)
      return errorAnswer(
        400,
        'idempotency_error',
        `Keys for idempotent requests can only be used with the same parameters they were first used with.`,
      );
    if (known)
      return { ...known.answer, headers: { 'idempotent-replayed': 'true', 'original-request': 'req_first' } };
    const { answer, began } = this.run(request);
    if (began) this.keys.set(key, { fingerprint, answer: structuredClone(answer) });
    return answer;
  }

  /** `began`: whether the parameters were valid, so that the response is stored for the idempotency key. */
  private run({ method, path, text: parameters }: { method: string; path: string; text: string }): {
    answer: Answer;
    began: boolean;
  } {
    let began = false;
    try {
      if (this.keyPermissions) assertKeyMay(this.keyPermissions, { method, path, text: parameters });
      const form = parseForm(parameters);
      const handle = findRoute({ method, path: path.replace(/^\/v1/, ''), form });
      if (!handle) {
        const message = `Unrecognized request URL (${method}: ${path}).`;
        return { answer: errorAnswer(404, 'invalid_request_error', message), began };
      }
      const body = structuredClone(handle(this.state));
      began = true;
      return { answer: { status: 200, body }, began };
    } catch (error) {
      if (!(error instanceof StripeErrorAnswer)) throw error;
      began = error.status === 402;
      return { answer: { status: error.status, body: { error: error.error } }, began };
    }
  }
}

function errorAnswer(status: number, type: string, message: string, code?: string): Answer {
  return { status, body: { error: { type, message, ...(code !== undefined && { code }) } } };
}

function send(response: ServerResponse, { status, body, headers }: Answer): void {
  response
    .writeHead(status, {
      'content-type': 'application/json',
      'request-id': `req_${randomBytes(7).toString('hex')}`,
      'stripe-version': API_VERSION,
      ...headers,
    })
    .end(JSON.stringify(body));
}

function toText(header: string | string[] | undefined): string | null {
  return typeof header === 'string' ? header : null;
}
