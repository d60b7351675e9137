import type { Service } from './service.js';

export interface ConsoleResponse<T = unknown> {
  status: number;
  body: T;
  headers: Headers;
}

/** A client of the console's routes that stores the session cookie and sends the headers that the console's pages send. */
export class ConsoleClient {
  cookie: string | undefined;

  /** @param origin of the console's pages, if `PUBLIC_URL` is set */
  constructor(
    private readonly service: Pick<Service, 'baseUrl'>,
    private readonly origin = service.baseUrl,
  ) {}

  async request<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ConsoleResponse<T>> {
    const response = await fetch(`${this.service.baseUrl}/console/api/${path}`, {
      method,
      redirect: 'manual',
      headers: {
        origin: this.origin,
        'x-console': '1',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(this.cookie !== undefined && { cookie: this.cookie }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const [cookie] = response.headers.getSetCookie();
    if (cookie !== undefined) this.cookie = cookie.split(';', 1)[0];
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return {
      status: response.status,
      body: (text === '' ? undefined : isJson ? JSON.parse(text) : text) as T,
      headers: response.headers,
    };
  }

  /** @param link as printed by a command: the token is after `#` */
  async signInByLink(link: string): Promise<void> {
    const { status, body } = await this.request('POST', 'sign-in/link', { token: link.split('#')[1] });
    if (status !== 200)
      throw new Error(`Signing in by the link failed with ${status}: ${JSON.stringify(body)}`);
  }
}
