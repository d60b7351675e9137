import type { FastifyReply, FastifyRequest } from 'fastify';

type CookieRequest = Pick<FastifyRequest, 'headers'>;

/** Cookies that scripts and other hosts cannot read. */
class HostCookies {
  private readonly prefix: string;
  private readonly isSecure: boolean;

  /** From `http:` browsers discard `Secure` cookies, Safari also from loopback. */
  constructor(publicUrl: string) {
    this.isSecure = new URL(publicUrl).protocol === 'https:';
    this.prefix = this.isSecure ? '__Host-' : '';
  }

  read(request: CookieRequest, name: string): string | undefined {
    return this.list(request).find((cookie) => cookie.name === name)?.value;
  }

  /** In the order of the browser, which sends the oldest first. */
  list({ headers }: CookieRequest): { name: string; value: string | undefined }[] {
    return (headers.cookie?.split(';') ?? []).flatMap((pair) => {
      const [name = '', value] = pair.trim().split('=', 2);
      return name.startsWith(this.prefix) ? [{ name: name.slice(this.prefix.length), value }] : [];
    });
  }

  /** Adds to the cookies that the response sets already. */
  write(reply: FastifyReply, name: string, valueAndAge: string): void {
    const attributes = `Path=/; HttpOnly; SameSite=Lax${this.isSecure ? '; Secure' : ''}`;
    reply.header('set-cookie', `${this.prefix}${name}=${valueAndAge}; ${attributes}`);
  }

  clear(reply: FastifyReply, name: string): void {
    this.write(reply, name, '; Max-Age=0');
  }
}

const SESSION = 'zephyr_session';

/** The cookie of console sessions. */
export class SessionCookie {
  private readonly cookies: HostCookies;

  constructor(publicUrl: string) {
    this.cookies = new HostCookies(publicUrl);
  }

  read(request: CookieRequest): string | undefined {
    return this.cookies.read(request, SESSION);
  }

  /** The browser forgets it when it ends; the session has its own end. */
  set(reply: FastifyReply, token: string): void {
    this.cookies.write(reply, SESSION, token);
  }

  clear(reply: FastifyReply): void {
    this.cookies.clear(reply, SESSION);
  }
}

const STATE = 'zephyr_oidc_';
const STATE_NAME_LENGTH = 8;
/** Sign-ins that one browser has begun, in as many tabs. */
const MAX_STATES = 5;

/** Binds sign-ins at an OpenID Connect provider to the browser that started them, each by a cookie of its own. */
export class OidcStateCookies {
  private readonly cookies: HostCookies;

  constructor(publicUrl: string) {
    this.cookies = new HostCookies(publicUrl);
  }

  /** @param state that the provider returns @returns that of the browser */
  read(request: CookieRequest, state: string): string | undefined {
    return this.cookies.read(request, toName(state));
  }

  /** Ends the oldest sign-in of a browser that has begun too many. */
  set(request: CookieRequest, reply: FastifyReply, state: string, lifetimeSeconds: number): void {
    this.cookies.write(reply, toName(state), `${state}; Max-Age=${lifetimeSeconds}`);
    const begun = this.cookies.list(request).filter(({ name }) => name.startsWith(STATE));
    for (const { name } of begun.slice(0, Math.max(0, begun.length + 1 - MAX_STATES)))
      this.cookies.clear(reply, name);
  }

  /** @param state that the browser has */
  clear(reply: FastifyReply, state: string): void {
    this.cookies.clear(reply, toName(state));
  }
}

function toName(state: string): string {
  return `${STATE}${state.slice(0, STATE_NAME_LENGTH)}`;
}
