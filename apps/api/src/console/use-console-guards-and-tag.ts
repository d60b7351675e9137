import { SkipApiKeyGuard, RateLimitGuard } from '@app/auth';
import { applyDecorators, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ConsoleGuard } from './console.guard.js';

/** A controller for signed-in people, without API keys. Limits on requests apply to the caller of the session. */
export function UseConsoleGuardsAndTag(tag: string): ClassDecorator {
  return applyDecorators(SkipApiKeyGuard(), ApiTags(tag), UseGuards(ConsoleGuard, RateLimitGuard));
}
