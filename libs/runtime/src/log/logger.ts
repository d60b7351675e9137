import type { LoggerService } from '@nestjs/common';
import { destination, type Logger, pino } from 'pino';
import { serializeError } from './serialize-error.js';
import { getTraceLogFields } from '../tracing/trace-context.js';
import { getCurrentLogFields } from './log-fields.js';

export interface LoggerOptions {
  level: string;
  pretty: boolean;
  /** `api`, `processor` or `admin`. */
  program: string;
}

const STDERR = 2;

/**
 * Operator commands log to standard error, because standard output is their result. Redacts headers with
 * keys, and serializes errors without the data that they carry.
 */
export function createLogger({ level, pretty, program }: LoggerOptions): Logger {
  const fd = program === 'admin' ? STDERR : 1;
  const options = {
    level,
    base: { program, pid: process.pid },
    mixin: () => ({ ...getCurrentLogFields(), ...getTraceLogFields() }),
    serializers: { error: serializeError, err: serializeError },
    redact: [
      'req.headers["x-api-key"]',
      'req.headers.authorization',
      'req.headers.cookie',
      'headers["x-api-key"]',
      'headers.authorization',
      'headers.cookie',
    ],
  };
  if (!pretty) return pino(options, destination({ fd, sync: program === 'admin' }));
  const transport = { target: 'pino-pretty', options: { ignore: 'pid,hostname,program', destination: fd } };
  return pino({ ...options, transport });
}

/** Logs the messages of Nest one level lower. */
export class NestLoggerAdapter implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.logger.debug(...toLogArguments(message, rest));
  }
  error(message: unknown, ...rest: unknown[]): void {
    this.logger.error(...toLogArguments(message, rest));
  }
  warn(message: unknown, ...rest: unknown[]): void {
    this.logger.warn(...toLogArguments(message, rest));
  }
  debug(message: unknown, ...rest: unknown[]): void {
    this.logger.trace(...toLogArguments(message, rest));
  }
  fatal(message: unknown, ...rest: unknown[]): void {
    this.logger.fatal(...toLogArguments(message, rest));
  }
}

/** Nest passes the context last, and first a text, an error, or fields followed by a text. */
function toLogArguments(message: unknown, rest: unknown[]): [object, string] {
  const context = rest.at(-1);
  if (message instanceof Error) return [{ context, error: message }, message.message];
  if (typeof message === 'object' && message !== null)
    return [{ ...message, context }, rest.length > 1 ? String(rest[0]) : ''];
  return [{ context }, String(message)];
}

export function toSimpleLogger(logger: Logger): SimpleLogger {
  return {
    info: (message, ...details) => logger.info(toDetails(details), message),
    warn: (message, ...details) => logger.warn(toDetails(details), message),
  };
}

export interface SimpleLogger {
  info(message: string, ...details: unknown[]): void;
  warn(message: string, ...details: unknown[]): void;
}

function toDetails([first]: unknown[]): object {
  if (first instanceof Error) return { error: first };
  return typeof first === 'object' && first !== null ? first : {};
}
