import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const CLIENT_ID = 'console';
export const CLIENT_SECRET = 'secret-of-the-console';

interface User {
  email: string;
  email_verified: boolean;
  name: string;
}

/** The parts of `oidc-provider`, which has no types, that the tests use. */
interface Provider {
  use(
    middleware: (context: { path: string; body: unknown }, next: () => Promise<void>) => Promise<void>,
  ): void;
  callback(): (request: IncomingMessage, response: ServerResponse) => void;
  interactionFinished(
    request: IncomingMessage,
    response: ServerResponse,
    result: object,
    options: object,
  ): Promise<void>;
  Grant: new (properties: object) => { addOIDCScope(scope: string): void; save(): Promise<string> };
}

interface Context {
  oidc: { client: { clientId: string }; session: { accountId: string }; provider: Provider };
}

/** The certified implementation `oidc-provider` on loopback. It signs in the user `subject` without showing a page. */
export class TestOidcProvider {
  /** By subject. */
  readonly people = new Map<string, User>();
  /** The subject of the user who is signed in. */
  subject = '';
  /** Methods of the sign-in, the claim `amr`. */
  methods = ['pwd'];
  /** Changes the ID tokens on their way to the service. */
  changeIdToken = (token: string): string => token;

  private constructor(private readonly server: Server) {}

  static async start(redirectUrl: string): Promise<TestOidcProvider> {
    const server = createServer();
    const testProvider = new TestOidcProvider(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const provider = await testProvider.createProvider(redirectUrl);
    provider.use(async (context, next) => {
      await next();
      const tokens = context.body as { id_token?: string } | undefined;
      if (context.path === '/token' && tokens?.id_token !== undefined)
        context.body = { ...tokens, id_token: testProvider.changeIdToken(tokens.id_token) };
    });
    const handle = provider.callback();
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (request.url?.startsWith('/login/')) {
        const result = { login: { accountId: testProvider.subject, amr: testProvider.methods } };
        void provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
      } else handle(request, response);
    });
    return testProvider;
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Follows the redirects of the provider like a browser. @returns the URL of the console, with code and state */
  async visit(url: string, redirectUrl: string): Promise<string> {
    const cookies = new Map<string, string>();
    let currentUrl = url;
    while (!currentUrl.startsWith(redirectUrl)) {
      const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
      const response = await fetch(currentUrl, { redirect: 'manual', headers: { cookie } });
      for (const set of response.headers.getSetCookie()) {
        const [name = '', value = ''] = (set.split(';', 1)[0] ?? '').split(/=(.*)/s, 2);
        cookies.set(name, value);
      }
      const location = response.headers.get('location');
      if (location === null)
        throw new Error(`The provider responded with ${response.status}: ${await response.text()}`);
      currentUrl = new URL(location, currentUrl).href;
    }
    return currentUrl;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async createProvider(redirectUrl: string): Promise<Provider> {
    // @ts-expect-error The package has no types.
    const { default: OidcProvider } = (await import('oidc-provider')) as {
      default: new (issuer: string, configuration: object) => Provider;
    };
    return new OidcProvider(this.issuer, {
      clients: [{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: [redirectUrl] }],
      cookies: { keys: ['key of the test'] },
      claims: { openid: ['sub', 'amr'], email: ['email', 'email_verified'], profile: ['name'] },
      features: { devInteractions: { enabled: false } },
      pkce: { required: () => true },
      interactions: { url: (_: Context, { uid }: { uid: string }) => `/login/${uid}` },
      findAccount: (_: Context, subject: string) => ({
        accountId: subject,
        claims: () => ({ sub: subject, ...this.people.get(subject) }),
      }),
      loadExistingGrant: async ({ oidc }: Context) => {
        const grant = new oidc.provider.Grant({
          clientId: oidc.client.clientId,
          accountId: oidc.session.accountId,
        });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    });
  }
}
