import { applyDecorators, HttpCode, SetMetadata, type Type } from '@nestjs/common';
import {
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  type ApiPropertyOptions,
} from '@nestjs/swagger';
import { ROUTE_ID_METADATA_KEY } from '../openapi/api-route.js';

/** Describes a route of the console and sets its status: 200 with a response, else 204. @param id of the operation */
export function ApiConsoleRoute(id: string, summary: string, response?: Type): MethodDecorator {
  return applyDecorators(
    SetMetadata(ROUTE_ID_METADATA_KEY, id),
    ApiOperation({ summary }),
    HttpCode(response ? 200 : 204),
    response
      ? ApiOkResponse({ type: response, description: 'Done.' })
      : ApiNoContentResponse({ description: 'Done.' }),
  );
}

/** A field of a response. `nullable` and `description` as in `ApiProperty`. */
export const ApiTextProperty = (options: ApiPropertyOptions = {}) =>
  ApiProperty({ type: String, ...options } as ApiPropertyOptions);
export const ApiNumberProperty = (options: ApiPropertyOptions = {}) =>
  ApiProperty({ type: Number, ...options } as ApiPropertyOptions);
export const ApiBooleanProperty = (options: ApiPropertyOptions = {}) =>
  ApiProperty({ type: Boolean, ...options } as ApiPropertyOptions);
export const ApiTimeProperty = (options: ApiPropertyOptions = {}) =>
  ApiProperty({ type: String, format: 'date-time', ...options } as ApiPropertyOptions);

/** An object with keys that are not known before. */
export const ApiRecordProperty = (values: object, options: ApiPropertyOptions = {}) =>
  ApiProperty({ type: 'object', additionalProperties: values, ...options } as ApiPropertyOptions);
