import { Public } from '@app/auth';
import { applyDecorators, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { ConsoleGuard } from './console.guard.js';

/** A controller for signed-in people: without API keys, and not in the description of the API. */
export function ConsoleController(): ClassDecorator {
  return applyDecorators(Public(), ApiExcludeController(), UseGuards(ConsoleGuard));
}
