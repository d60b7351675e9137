/** Seconds since 1970; the first day on which the model could be asked for. */
const CREATED = 1_763_596_800;

export interface ModelResponse {
  id: string;
  object: 'model';
  /** Seconds since 1970. */
  created: number;
  owned_by: string;
}

export interface ModelListResponse {
  object: 'list';
  data: ModelResponse[];
}

export function modelResponse(id: string): ModelResponse {
  return { id, object: 'model', created: CREATED, owned_by: 'zephyr' };
}
