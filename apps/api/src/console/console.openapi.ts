import { applyDecorators, HttpCode, SetMetadata, type Type } from '@nestjs/common';
import {
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  type ApiPropertyOptions,
} from '@nestjs/swagger';
import { ROUTE_ID_METADATA } from '../openapi/api-route.js';

/** Describes a route of the console and sets its status: 200 with a response, else 204. @param id of the operation */
export function ConsoleRoute(id: string, summary: string, response?: Type): MethodDecorator {
  return applyDecorators(
    SetMetadata(ROUTE_ID_METADATA, id),
    ApiOperation({ summary }),
    HttpCode(response ? 200 : 204),
    response
      ? ApiOkResponse({ type: response, description: 'Done.' })
      : ApiNoContentResponse({ description: 'Done.' }),
  );
}

/** A field of a response. `nullable` and `description` as in `ApiProperty`. */
export const TextField = (options: ApiPropertyOptions = {}) =>
  ApiProperty({ type: String, ...options } as ApiPropertyOptions);
export const NumberField = (options: ApiPropertyOptions = {}) =>
  ApiProperty({ type: Number, ...options } as ApiPropertyOptions);
export const BooleanField = (options: ApiPropertyOptions = {}) =>
  ApiProperty({ type: Boolean, ...options } as ApiPropertyOptions);
export const TimeField = (options: ApiPropertyOptions = {}) =>
  ApiProperty({ type: String, format: 'date-time', ...options } as ApiPropertyOptions);

/** An object with keys that are not known before. */
export const RecordField = (values: object, options: ApiPropertyOptions = {}) =>
  ApiProperty({ type: 'object', additionalProperties: values, ...options } as ApiPropertyOptions);
