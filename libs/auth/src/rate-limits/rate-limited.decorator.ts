import { SetMetadata } from '@nestjs/common';
import type { LimitName } from './route-limits.js';

export const RATE_LIMIT_METADATA = 'auth:limited';

/** Limits the requests to a route per key, under this name. */
export const RateLimited = (name: LimitName) => SetMetadata(RATE_LIMIT_METADATA, name);
