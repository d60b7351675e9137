import { type FieldError, ServiceError } from '@app/errors';
import { ValidationPipe, type ValidationError } from '@nestjs/common';

/** Bodies against their DTOs: unknown fields dropped, nothing converted, every refused field named. */
export function bodyValidation(): ValidationPipe {
  return new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidUnknownValues: true,
    stopAtFirstError: true,
    exceptionFactory: (errors) => refused(flatten(errors)),
  });
}

export function refused(errors: FieldError[]): ServiceError {
  const detail = errors.map(({ field, message }) => `${field}: ${message}`).join('; ');
  return new ServiceError('validation_failed', { detail, errors });
}

function flatten(errors: ValidationError[], path: string[] = []): FieldError[] {
  return errors.flatMap((error) => {
    const here = [...path, error.property];
    const own = Object.values(error.constraints ?? {}).map((message) => ({
      field: here.join('.'),
      message: withoutName(message, error.property),
    }));
    return [...own, ...flatten(error.children ?? [], here)];
  });
}

/** The library begins its messages with the field's name, which already stands beside them. */
function withoutName(message: string, name: string): string {
  return message.startsWith(`${name} `) ? message.slice(name.length + 1) : message;
}
