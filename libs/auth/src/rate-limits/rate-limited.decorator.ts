import { SetMetadata } from '@nestjs/common';
import type { LimitName } from './route-limits.js';

export const RATE_LIMIT_METADATA = 'auth:limited';

/** Requests of this route are counted per key, under this name. */
export const RateLimited = (name: LimitName) => SetMetadata(RATE_LIMIT_METADATA, name);
