import { type Schema, toSchemaRef } from './document-types.js';

/**
 * Describes the body of `POST /upload` as one of two schemas, which decorators cannot express. `null` equals absent. Their
 * common options become `JobOptions`.
 * @param schemas with `CreateUpload`, built from the DTO
 */
export function splitCreateUploadSchemaByAudioSource(
  schemas: Record<string, Schema>,
): Record<string, Schema> {
  const { file_size, audio_url, ...options } = schemas['CreateUpload']?.properties ?? {};
  if (!file_size || !audio_url) throw new Error('CreateUpload has no file_size or no audio_url.');
  const absent: Schema = { type: 'null' };
  return {
    ...schemas,
    JobOptions: { type: 'object', description: 'Options of every job.', properties: options },
    CreateUpload: { oneOf: [toSchemaRef('CreateUploadOfFile'), toSchemaRef('CreateUploadByAddress')] },
    CreateUploadOfFile: buildVariant('A file that is uploaded with a PUT.', 'file_size', {
      file_size: withoutNull(file_size),
      audio_url: absent,
    }),
    CreateUploadByAddress: buildVariant('The service fetches the audio.', 'audio_url', {
      audio_url: withoutNull(audio_url),
      file_size: absent,
    }),
  };
}

function buildVariant(description: string, required: string, properties: Record<string, Schema>): Schema {
  return {
    description,
    allOf: [toSchemaRef('JobOptions'), { type: 'object', properties, required: [required] }],
  };
}

function withoutNull({ type = [], ...schema }: Schema): Schema {
  return { type: [type].flat().find((name) => name !== 'null'), ...schema };
}
