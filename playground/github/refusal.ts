/** Error of the local REST API: GitHub's status, message and errors. */
export type RefusalError = { resource: string; code: string; field?: string; message?: string };

export class RestRefusal extends Error {
  readonly status: number;
  readonly errors: RefusalError[] | null;
  constructor(status: number, message: string, errors: RefusalError[] | null = null) {
    super(message);
    this.status = status;
    this.errors = errors;
  }
}

export const notFound = (message = 'Not Found'): RestRefusal => new RestRefusal(404, message);
export const invalid = (error: RefusalError): RestRefusal =>
  new RestRefusal(422, 'Validation Failed', [error]);
