import type { FastifyReply, FastifyRequest } from 'fastify';

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** The cookie of console sessions. */
export class SessionCookie {
  readonly isSecure: boolean;
  private readonly name: string;

  /** Browsers accept `Secure` cookies from `https:` and from loopback only. */
  constructor(publicUrl: string) {
    const { protocol, hostname } = new URL(publicUrl);
    this.isSecure = protocol === 'https:' || LOOPBACK_HOST.test(hostname);
    this.name = this.isSecure ? '__Host-zephyr_session' : 'zephyr_session';
  }

  read({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
    for (const pair of headers.cookie?.split(';') ?? []) {
      const [name, value] = pair.trim().split('=', 2);
      if (name === this.name) return value;
    }
    return undefined;
  }

  /** The browser forgets it when it ends; the session has its own end. */
  set(reply: FastifyReply, token: string): void {
    this.write(reply, `${this.name}=${token}`);
  }

  clear(reply: FastifyReply): void {
    this.write(reply, `${this.name}=; Max-Age=0`);
  }

  private write(reply: FastifyReply, pair: string): void {
    const attributes = `Path=/; HttpOnly; SameSite=Lax${this.isSecure ? '; Secure' : ''}`;
    reply.header('set-cookie', `${pair}; ${attributes}`);
  }
}
