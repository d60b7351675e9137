import { IsUrl } from 'class-validator';

/**
 * Every host to which a request can be sent, also one with an underscore or a dot at its end; `OutboundGuard` decides which are
 * permitted. The length has a rule of its own.
 */
export function IsHttpUrl(): PropertyDecorator {
  return IsUrl(
    {
      protocols: ['http', 'https'],
      require_protocol: true,
      require_tld: false,
      allow_underscores: true,
      allow_trailing_dot: true,
      validate_length: false,
    },
    { message: 'must be an http or https URL' },
  );
}
