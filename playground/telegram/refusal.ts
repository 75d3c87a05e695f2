/** The one failure of the local Bot API: what it answers instead of a result. */
export class ApiRefusal extends Error {
  readonly code: number;
  readonly parameters: { retry_after?: number } | null;
  constructor(code: number, description: string, parameters: { retry_after?: number } | null = null) {
    super(description);
    this.code = code;
    this.parameters = parameters;
  }
}

export const badRequest = (reason: string): ApiRefusal => new ApiRefusal(400, `Bad Request: ${reason}`);
