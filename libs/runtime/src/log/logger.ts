import type { LoggerService } from '@nestjs/common';
import { destination, type Logger, pino } from 'pino';
import { errorForLog } from './error-for-log.js';
import { logFields } from './log-fields.js';

export interface LogOptions {
  level: string;
  pretty: boolean;
  /** `api`, `processor` or `admin`. */
  program: string;
}

const STDERR = 2;

/**
 * One structured line an event: on standard output, or on standard error for operator commands, whose output is
 * their answer. Key material never gets here: header values are redacted, errors said without the data they carry.
 */
export function createLogger({ level, pretty, program }: LogOptions): Logger {
  const fd = program === 'admin' ? STDERR : 1;
  const options = {
    level,
    base: { program, pid: process.pid },
    mixin: logFields,
    serializers: { error: errorForLog, err: errorForLog },
    redact: [
      'req.headers["x-api-key"]',
      'req.headers.authorization',
      'headers["x-api-key"]',
      'headers.authorization',
    ],
  };
  if (!pretty) return pino(options, destination({ fd, sync: program === 'admin' }));
  const transport = { target: 'pino-pretty', options: { ignore: 'pid,hostname,program', destination: fd } };
  return pino({ ...options, transport });
}

/** Lets Nest's own messages leave through the same logger. */
export class NestLog implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.logger.debug(...line(message, rest));
  }
  error(message: unknown, ...rest: unknown[]): void {
    this.logger.error(...line(message, rest));
  }
  warn(message: unknown, ...rest: unknown[]): void {
    this.logger.warn(...line(message, rest));
  }
  debug(message: unknown, ...rest: unknown[]): void {
    this.logger.trace(...line(message, rest));
  }
  fatal(message: unknown, ...rest: unknown[]): void {
    this.logger.fatal(...line(message, rest));
  }
}

/** Nest puts the context last. What comes first is a text, an error, or fields that a text follows. */
function line(message: unknown, rest: unknown[]): [object, string] {
  const context = rest.at(-1);
  if (message instanceof Error) return [{ context, error: message }, message.message];
  if (typeof message === 'object' && message !== null)
    return [{ ...message, context }, rest.length > 1 ? String(rest[0]) : ''];
  return [{ context }, String(message)];
}

/** The `warn(message, details)` and `info(message)` shape that the libraries take. */
export function plainLog(logger: Logger): PlainLog {
  return {
    info: (message, ...details) => logger.info(merge(details), message),
    warn: (message, ...details) => logger.warn(merge(details), message),
  };
}

export interface PlainLog {
  info(message: string, ...details: unknown[]): void;
  warn(message: string, ...details: unknown[]): void;
}

function merge([first]: unknown[]): object {
  if (first instanceof Error) return { error: first };
  return typeof first === 'object' && first !== null ? first : {};
}
