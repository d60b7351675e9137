import type { LoggerService } from '@nestjs/common';
import { destination, type Logger, pino } from 'pino';
import { errorForLog } from './error-for-log.js';

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
    this.logger.debug({ context: contextOf(rest) }, String(message));
  }
  error(message: unknown, ...rest: unknown[]): void {
    this.logger.error(
      { context: contextOf(rest), error: message instanceof Error ? message : undefined },
      String(message),
    );
  }
  warn(message: unknown, ...rest: unknown[]): void {
    this.logger.warn({ context: contextOf(rest) }, String(message));
  }
  debug(message: unknown, ...rest: unknown[]): void {
    this.logger.trace({ context: contextOf(rest) }, String(message));
  }
  fatal(message: unknown, ...rest: unknown[]): void {
    this.logger.fatal({ context: contextOf(rest) }, String(message));
  }
}

function contextOf(rest: unknown[]): unknown {
  return rest.at(-1);
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
