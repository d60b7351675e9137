import { isURL, ValidateBy } from 'class-validator';
import { isIPv4 } from 'node:net';

const URL_OPTIONS = {
  protocols: ['http', 'https'],
  require_protocol: true,
  require_tld: false,
  allow_underscores: true,
  allow_trailing_dot: true,
  validate_length: false,
};

/**
 * Every host to which a request can be sent, also one with an underscore or a dot at its end; `OutboundGuard` decides which are
 * permitted. The length has a rule of its own.
 */
export function IsHttpUrl(): PropertyDecorator {
  return ValidateBy(
    { name: 'isHttpUrl', validator: { validate: isHttpUrl } },
    { message: 'must be an http or https URL' },
  );
}

function isHttpUrl(value: unknown): boolean {
  return (
    typeof value === 'string' && (isURL(value, URL_OPTIONS) || isURL(spellAddressDotted(value), URL_OPTIONS))
  );
}

/** The URL with an IPv4 address as four decimal numbers, which may be spelled as one number, in octal or hexadecimal, or shorter. */
function spellAddressDotted(value: string): string {
  if (!URL.canParse(value)) return value;
  const url = new URL(value);
  return isIPv4(url.hostname) ? url.href : value;
}
