import { randomUUID } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { type BootContext, resolvePublicUrl } from '@app/runtime';
import { TranscriptUrlSigner } from '@app/storage';
import { type Finding, createOkFinding, createWarningFinding } from './finding.js';

const NAME = 'public URL';
const TIMEOUT_MS = 3_000;
const PROBE_URL_SECONDS = 60;
const VALID_SIGNATURE_CODE = 'object_not_found';

type Responder = 'this installation' | 'another installation' | 'another program' | 'nobody' | 'a late clock';

/** All findings are warnings: the service works on this machine with any public URL. */
export async function checkPublicUrl(
  bootContext: Pick<BootContext, 'config' | 'deriveKeys'>,
): Promise<Finding> {
  const { publicUrl: configured, host } = bootContext.config.api;
  const base = resolvePublicUrl(bootContext);
  if (configured === undefined)
    return isLocalHost(host)
      ? createOkFinding(NAME, `${base}; PUBLIC_URL is not set`)
      : createWarningFinding(
          NAME,
          `the API listens on ${host}, and callers get URLs that start with ${base}`,
          'Set PUBLIC_URL to the URL under which callers reach the API.',
        );
  const { hostname, protocol } = new URL(base);
  const name = hostname.replace(/^\[|\]$/g, '');
  if (isIP(name) === 0 && !(await resolves(name)))
    return createWarningFinding(
      NAME,
      `${name} does not resolve`,
      'Check PUBLIC_URL, and the DNS record of the name.',
    );
  const responder = await identifyResponder(bootContext, base);
  if (responder !== 'this installation') return wrongResponderFinding(base, responder);
  if (protocol === 'http:' && !isLocalHost(name))
    return createWarningFinding(
      NAME,
      `${base} is not encrypted`,
      'API keys and recordings can be read in transit: put a proxy with TLS in front of the API, and https:// into PUBLIC_URL.',
    );
  return createOkFinding(NAME, `${base} leads here`);
}

function wrongResponderFinding(base: string, responder: Exclude<Responder, 'this installation'>): Finding {
  const { pathname } = new URL(base);
  const path =
    pathname === '/' ? '' : ` It has a path: the proxy must strip ${pathname}, or remove it from PUBLIC_URL.`;
  switch (responder) {
    case 'nobody':
      return createWarningFinding(
        NAME,
        `nothing answers at ${base}`,
        `Start the service and its proxy, or check PUBLIC_URL. A machine may be unable to reach its own public address: then try from another one.${path}`,
      );
    case 'another program':
      return createWarningFinding(
        NAME,
        `${base} is answered by another program`,
        `Check PUBLIC_URL and the proxy.${path}`,
      );
    case 'another installation':
      return createWarningFinding(
        NAME,
        `${base} is answered by an API with another SERVICE_SECRET`,
        'Check PUBLIC_URL: it leads to another installation. If it does not, give every program the same SERVICE_SECRET.',
      );
    case 'a late clock':
      return createWarningFinding(
        NAME,
        `the API at ${base} treats a new signed URL as expired`,
        'Its clock is ahead of this one: synchronise both with chrony or another NTP service.',
      );
  }
}

/** Requests a transcript that does not exist, by a URL that only programs with this secret accept. */
async function identifyResponder(
  { deriveKeys: keys }: Pick<BootContext, 'deriveKeys'>,
  base: string,
): Promise<Responder> {
  const addresses = new TranscriptUrlSigner({ publicUrl: base, keys: keys('result-address') });
  const options = { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) } as const;
  try {
    const answer = await fetch(addresses.sign(randomUUID(), PROBE_URL_SECONDS), options);
    switch (await readErrorCode(answer)) {
      case VALID_SIGNATURE_CODE:
        return 'this installation';
      case 'signature_mismatch':
        return 'another installation';
      case 'url_expired':
        return 'a late clock';
      default:
        return 'another program';
    }
  } catch {
    return 'nobody';
  }
}

/** @returns undefined for a response of another program */
async function readErrorCode(answer: Response): Promise<unknown> {
  if (!answer.headers.get('content-type')?.includes('json')) {
    await answer.body?.cancel();
    return undefined;
  }
  const body: unknown = await answer.json();
  return typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined;
}

async function resolves(name: string): Promise<boolean> {
  return lookup(name).then(
    () => true,
    () => false,
  );
}

function isLocalHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\./.test(host) || host.endsWith('.localhost');
}
