import type { FastifyReply, FastifyRequest } from 'fastify';

/** A cookie that scripts and other hosts cannot read. */
class HostCookie {
  private readonly name: string;
  private readonly isSecure: boolean;

  /** From `http:` browsers discard `Secure` cookies, Safari also from loopback. */
  constructor(publicUrl: string, name: string) {
    this.isSecure = new URL(publicUrl).protocol === 'https:';
    this.name = this.isSecure ? `__Host-${name}` : name;
  }

  read({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
    for (const pair of headers.cookie?.split(';') ?? []) {
      const [name, value] = pair.trim().split('=', 2);
      if (name === this.name) return value;
    }
    return undefined;
  }

  clear(reply: FastifyReply): void {
    this.write(reply, '; Max-Age=0');
  }

  /** Adds to the cookies that the response sets already. */
  protected write(reply: FastifyReply, valueAndAge: string): void {
    const attributes = `Path=/; HttpOnly; SameSite=Lax${this.isSecure ? '; Secure' : ''}`;
    reply.header('set-cookie', `${this.name}=${valueAndAge}; ${attributes}`);
  }
}

/** The cookie of console sessions. */
export class SessionCookie extends HostCookie {
  constructor(publicUrl: string) {
    super(publicUrl, 'zephyr_session');
  }

  /** The browser forgets it when it ends; the session has its own end. */
  set(reply: FastifyReply, token: string): void {
    this.write(reply, token);
  }
}

/** Binds a sign-in at an OpenID Connect provider to the browser that started it. */
export class OidcStateCookie extends HostCookie {
  constructor(publicUrl: string) {
    super(publicUrl, 'zephyr_oidc');
  }

  set(reply: FastifyReply, state: string, lifetimeSeconds: number): void {
    this.write(reply, `${state}; Max-Age=${lifetimeSeconds}`);
  }
}
