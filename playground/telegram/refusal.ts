/** Error of the local Bot API. */
type Parameters = { retry_after?: number; migrate_to_chat_id?: number };
export class ApiRefusal extends Error {
  readonly code: number;
  readonly parameters: Parameters | null;
  constructor(code: number, description: string, parameters: Parameters | null = null) {
    super(description);
    this.code = code;
    this.parameters = parameters;
  }
}

export const badRequest = (reason: string): ApiRefusal => new ApiRefusal(400, `Bad Request: ${reason}`);
